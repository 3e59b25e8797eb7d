import { ApolloServer } from '@apollo/server'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { ending } from '../../test/harness/at-end.js'
import type { GraphqlContext } from './context.js'
import { formatError } from './errors.js'
import { operationPlugin } from './operation-plugin.js'
import { startSupergraphHarness } from '../../test/harness/supergraph.js'

const harness = await startSupergraphHarness()
const { apiSchema, costs } = harness.supergraph

it('what fails before an operation is run tells its client nothing, and its cause is in the log', async () => {
  const lines: string[] = []
  const apollo = ending(
    new ApolloServer<GraphqlContext>({
      schema: apiSchema,
      formatError,
      plugins: [
        operationPlugin(
          { schema: apiSchema, costs },
          {
            fingerprintKey: Buffer.alloc(32, 1),
            remember: () => undefined,
            passed: () => undefined,
            admission: {
              charge: () => {
                throw new RangeError('the stack is full')
              },
            } as never,
            tooMany: { code: 429, message: 'Too many.', docs: '' } as never,
            log: pino({}, { write: (line: string) => lines.push(line) }),
          },
        ),
      ],
    }),
  )
  await apollo.start()
  const contextValue = {
    request: { caller: harness.context.caller, keyHash: 'hash', requestId: 'request-43', idempotencyKeys: [] },
    charged: {},
    isOperationCounted: false,
    tell: () => undefined,
  }
  const { body } = await apollo.executeOperation({ query: '{ products { pix } }' }, { contextValue })
  expect(body.kind === 'single' && body.singleResult.errors).toMatchObject([{ extensions: { code: 'SERVER_ERROR' } }])
  expect(JSON.stringify(body)).not.toContain('stack')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { requestId: 'request-43', err: { message: 'the stack is full' } },
  ])
})
