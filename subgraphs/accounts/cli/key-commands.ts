import { neededOption, UsageError } from '../../../kernel/command-line.js'
import { createApiKey } from '../domain/create-api-key.js'
import { findTenant } from '../domain/find-tenant.js'
import { revokeApiKey } from '../domain/revoke-api-key.js'
import type { ApiKey } from '../store/api-key.entity.js'
import type { Commands } from './command.js'
import { expiryOption, FLAG, modeOption, ownerOption, TEXT, textOption } from './options.js'

export const KEY_COMMANDS: Commands = {
  'key create': {
    usage: '--tenant ID | --platform [--name NAME] [--public-client-id ID] [--expires ISO-DATE] [--live]',
    help: `another key; --platform: a key of the deployment itself; --public-client-id: the integration that uses it and
whose quota of verifications it counts for, the default one where left out`,
    options: { tenant: TEXT, platform: FLAG, name: TEXT, expires: TEXT, live: FLAG, 'public-client-id': TEXT },
    read: (values) => {
      const owner = ownerOption(values)
      const publicClientId = textOption(values, 'public-client-id') ?? null
      if (publicClientId !== null && !owner) throw new UsageError('A key of the platform has no integration.')
      const name = textOption(values, 'name') ?? 'key'
      const input = { name, mode: modeOption(values), expiresAt: expiryOption(values), publicClientId }
      return async (deps) => {
        const created = await createApiKey(deps, owner, input)
        return { ...keyView(created.apiKey), api_key: created.key }
      }
    },
  },
  'key list': {
    usage: '--tenant ID | --platform',
    options: { tenant: TEXT, platform: FLAG },
    isRead: true,
    read: (values) => {
      const owner = ownerOption(values)
      return async (deps) => {
        const ownerId = owner && (await findTenant(deps, owner)).id
        return { keys: (await deps.accounts.listKeys(ownerId)).map(keyView) }
      }
    },
  },
  'key revoke': {
    usage: '--key ID',
    options: { key: TEXT },
    read: (values) => {
      const keyId = neededOption(values, 'key')
      return async (deps) => keyView(await revokeApiKey(deps, { keyId }))
    },
  },
}

/** What may be shown of a key at any time: not its hash. */
export function keyView(key: ApiKey): object {
  return {
    id: key.id,
    tenant_id: key.tenantId,
    public_client_id: key.publicClientId,
    name: key.name,
    prefix: key.prefix,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
    created_by: key.createdBy,
  }
}
