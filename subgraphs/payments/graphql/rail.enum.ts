import { graphqlEnum } from '../../../kernel/subgraph.js'
import { RAILS } from '../rails/registry.js'

/** The ways to pay that there are; a new rail is one of them by its line in the registry. */
export const RailEnum = graphqlEnum(
  'Rail',
  'What a payer pays by.',
  Object.fromEntries(
    RAILS.map(({ name, types }) => [name, `Payments of the types ${Object.keys(types).join(', ').toUpperCase()}.`]),
  ),
)
