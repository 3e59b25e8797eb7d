import { Arg, ID } from 'type-graphql'

/** The argument that names an order. */
export const OrderId = () => Arg('id', () => ID, { description: 'Of the order.' })
