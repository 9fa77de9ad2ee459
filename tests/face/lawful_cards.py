"""A few invented cards with two faults: one that nothing can pay, and two that are an engine together."""

CARDS = """\
Bolt: {types: [Action], cost: 2r, abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]}
Chi: {types: [Action], cost: 3c, abilities: [{resolve: {do: [{destroy: {type: Ally, how: target}}]}}]}
Wolf: {types: [Ally], yields: {r: 1}}
Mill: {types: [Item], abilities: [{activate: {cost: [{tap: $self}], do: [{gain: {r: 2}}]}}]}
Crank: {types: [Item], abilities: [{activate: {cost: [1r], do: [{untap: {type: Item}}]}}]}
"""
