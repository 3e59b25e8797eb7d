/** What Hive Gateway tells a plugin of a request. */
interface RequestHook {
  request: Request
  url: URL
  fetchAPI: { Response: typeof Response }
  endResponse: (response: Response) => void
}

/** The part of Hive Gateway's settings that signing takes. */
interface Signing {
  plugins: () => { onRequest: (hook: RequestHook) => Promise<void> }[]
  propagateHeaders: { fromClientToSubgraphs: (payload: { request: Request }) => Record<string, string> }
}

/**
 * Has each request signed by the authorizer before Hive Gateway plans it. What the authorizer refuses the client is answered as
 * it stands; nothing that the client itself sent under the signed names is passed on.
 * @param authorizerUrl where the process with `ROLE=authorizer` listens
 */
export function signedBy(authorizerUrl: string): Signing {
  const signed = new WeakMap<Request, Record<string, string>>()
  return {
    plugins: () => [
      {
        async onRequest({ request, url, fetchAPI, endResponse }) {
          if (url.pathname.replace(/\/$/, '') !== '/graphql') return
          const headers = new Headers(request.headers)
          for (const name of ['host', 'content-length', 'connection', 'transfer-encoding']) headers.delete(name)
          const body = request.method === 'POST' ? await request.clone().text() : undefined
          const answer = await fetch(`${authorizerUrl}/authorize`, {
            method: body === undefined ? 'GET' : 'POST',
            headers,
            ...(body !== undefined && { body }),
            signal: AbortSignal.timeout(5_000),
          })
          const text = await answer.text()
          if (answer.ok) signed.set(request, (JSON.parse(text) as { headers: Record<string, string> }).headers)
          else
            endResponse(new fetchAPI.Response(text, { status: answer.status, headers: refusalHeaders(answer.headers) }))
        },
      },
    ],
    propagateHeaders: {
      fromClientToSubgraphs({ request }) {
        return signed.get(request) ?? {}
      },
    },
  }
}

function refusalHeaders(from: Headers): Record<string, string> {
  const names = ['content-type', 'retry-after', 'x-request-id']
  return Object.fromEntries(names.flatMap((name) => (from.has(name) ? [[name, from.get(name) ?? '']] : [])))
}

/** `hive-gateway supergraph` reads this: `npm run --silent admin -- supergraph` has written the file. */
export const gatewayConfig: Signing & { supergraph: string } = {
  supergraph: './supergraph.graphql',
  ...signedBy('http://authorizer:4000'),
}
