import { parse } from 'graphql'
import type { SubgraphExecutor } from '../../kernel/subgraph.js'
import type { KeyStatus } from './authenticate.js'
import { GATEWAY } from './console-session.js'

const DOCUMENT = parse(`query KeyStatus($hash: String!) {
  apiKeyStanding(hash: $hash) { keyId tenantId products fiats scopes publicClientId expiresAt }
}`)

/**
 * How authentication looks keys up: a hidden field of the accounts subgraph, in this process or another.
 * @throws (the function returned) where accounts cannot tell; the hash is not in the error
 */
export function keyStatusFrom(
  accounts: SubgraphExecutor,
  newRequestId: () => string,
): (hash: string) => Promise<KeyStatus | null> {
  return async (hash) => {
    const context = { requestId: newRequestId(), caller: GATEWAY }
    const { data, errors } = await accounts({ document: DOCUMENT, variables: { hash }, context })
    if (errors?.length || !data) throw new Error('the status of a key cannot be found out', { cause: errors?.[0] })
    return (data['apiKeyStanding'] ?? null) as KeyStatus | null
  }
}
