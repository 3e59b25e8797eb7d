import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parse } from 'graphql'
import { invalidTextProblem } from '../kernel/invalid-text.js'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'

/** A provider's callback as it came: its signature is over exactly these bytes. */
export interface RawCallback {
  /** What the path names: the provider. */
  provider: string
  /** What the path has behind the provider, without the slash between; often nothing. */
  rest: string
  rawBody: Buffer
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  requestId: string
}

/** Where callbacks of one kind go. Gives the HTTP status of the answer. */
export interface CallbackIntake {
  /** With `:provider`, and `*` where more of it counts. */
  path: string
  receive: (callback: RawCallback) => Promise<number>
}

/** Several times what a provider sends, decisions included: what is read here may come from any sender until it is judged. */
const BODY_LIMIT_BYTES = 256 * 1024

/** Mounts the paths that providers call. They have no API key: each callback is judged by its own signature. */
export function mountCallbacks(app: FastifyInstance, intakes: readonly CallbackIntake[]): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, parsed) => {
      parsed(null, body)
    })
    for (const { path, receive } of intakes) {
      scope.post(path, async (request: FastifyRequest<{ Params: { provider: string; '*'?: string } }>, reply) => {
        const { params, body, id } = request
        const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const { provider, '*': rest = '' } = params
        // A path with a text that no database keeps has no intake.
        if (invalidTextProblem(params) !== undefined) return reply.code(404).send({ received: false })
        const status = await receive({ provider, rest, rawBody, headers: headersOf(request), requestId: id })
        return reply.code(status).send({ received: status < 300 })
      })
    }
    done()
  })
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

const RECEIVE_KYC_CALLBACK = parse(/* GraphQL */ `
  mutation ReceiveKycCallback($verifier: String!, $body: String!, $headers: JSON!) {
    verdict: receiveKycCallback(verifier: $verifier, body: $body, headers: $headers)
  }
`)

const STATUS_OF_VERDICT: Readonly<Record<string, number>> = {
  ACCEPTED: 200,
  MALFORMED: 400,
  REFUSED: 401,
  UNKNOWN_VERIFIER: 404,
}

/** The callbacks of verification providers, handed to the kyc subgraph: `/callbacks/kyc/<verifier>`. */
export function kycCallbacks(kyc: SubgraphExecutor): CallbackIntake {
  return {
    path: '/callbacks/kyc/:provider',
    async receive({ provider: verifier, rawBody, headers, requestId }) {
      const context: RequestContext = { requestId, caller: { tenantId: null, keyId: verifier, products: [] } }
      const variables = { verifier, body: rawBody.toString('base64'), headers }
      const { data } = await kyc({ document: RECEIVE_KYC_CALLBACK, variables, context })
      // Whatever went wrong on our side, the provider shall try again.
      return STATUS_OF_VERDICT[String(data?.['verdict'])] ?? 500
    },
  }
}

const RECEIVE_CALLBACK = parse(/* GraphQL */ `
  mutation ReceiveCallback($input: ReceiveCallbackInput!) {
    received: receiveCallback(input: $input)
  }
`)

/** The callbacks of payment processors, handed to the payments subgraph: `/callbacks/<rail>/<secret path>`. */
export function chargeCallbacks(payments: SubgraphExecutor): CallbackIntake {
  return {
    path: '/callbacks/:provider/*',
    async receive({ provider: rail, rest: path, rawBody, headers, requestId }) {
      const context: RequestContext = { requestId, caller: { tenantId: null, keyId: rail, products: [] } }
      const body = rawBody.toString('utf8')
      if (invalidTextProblem(body) !== undefined) return 400
      const input = { rail, path, authorization: headers['authorization'], body }
      const { data, errors } = await payments({ document: RECEIVE_CALLBACK, variables: { input }, context })
      if (errors?.[0]?.extensions['code'] === 'NOT_FOUND') return 404
      // Whatever went wrong on our side, the provider shall try again.
      return typeof data?.['received'] === 'number' ? 200 : 500
    },
  }
}
