import { expect, it } from 'vitest'
import { composeTestGraph } from '../../test/harness/composed-graph.js'

const CAR = { id: 'c', plate: 'p', frame: { maker: 'm', serial: 's' } }

/** A registry knows cars by their ids; a garage knows them by more keys, by one of which alone it can be asked for them. */
const graph = await composeTestGraph({
  registry: {
    sdl: `
      type Car
        @key(fields: "id")
        @key(fields: "plate", resolvable: false)
        @key(fields: "frame { maker serial }", resolvable: false) {
        id: ID! plate: ID! frame: Frame! model: String!
      }
      type Frame { maker: ID! serial: ID! }`,
    resolvers: { Car: { __resolveReference: ({ id }: { id?: string }) => (id ? { ...CAR, model: 'Beetle' } : null) } },
  },
  garage: {
    sdl: `
      type Query { visit: Visit }
      type Visit @key(fields: "id") { id: ID! cars: [Car!]! }
      type Car
        @key(fields: "frame { maker }", resolvable: false)
        @key(fields: "id frame { serial }")
        @key(fields: "plate", resolvable: false) {
        id: ID! plate: ID! frame: Frame! model: String! @external bill: String! @requires(fields: "model")
      }
      type Frame { maker: ID! serial: ID! }`,
    resolvers: {
      Query: { visit: () => ({ id: 'v', cars: [CAR] }) },
      Car: {
        __resolveReference: (car: Partial<typeof CAR>) => (car.id && car.frame?.serial ? car : null),
        bill: ({ model }: { model?: string }) => `bill of a ${model}`,
      },
    },
  },
})

it('an object is asked for what it requires by a key that can be asked by, whichever key is written first', async () => {
  const { direct, planned } = await graph.bothWays('{ visit { id cars { id model bill } } }')
  expect(direct).toEqual({
    data: { visit: { id: 'v', cars: [{ id: 'c', model: 'Beetle', bill: 'bill of a Beetle' }] } },
  })
  expect(planned).toEqual(direct)
})
