import { createApiKey } from '../domain/create-api-key.js'
import { createPlatformKey } from '../domain/create-platform-key.js'
import type { CreateTenantDeps } from '../domain/create-tenant.js'
import { findTenant } from '../domain/find-tenant.js'
import { listApiKeys } from '../domain/list-api-keys.js'
import { revokeApiKey } from '../domain/revoke-api-key.js'
import type { ApiKey } from '../store/api-key.entity.js'
import type { TenantCommand } from './read-command.js'

type KeyCommand = Extract<TenantCommand, { name: `key ${string}` }>

export function isKeyCommand(command: TenantCommand): command is KeyCommand {
  return command.name.startsWith('key ')
}

/** Runs a command about keys. See `runCommand`. */
export async function runKeyCommand(deps: CreateTenantDeps, command: KeyCommand): Promise<object> {
  switch (command.name) {
    case 'key create': {
      const { tenantId, keyName, mode, expiresAt, publicClientId } = command
      const input = { name: keyName, mode, expiresAt, publicClientId }
      const created = await (tenantId === null
        ? createPlatformKey(deps, input)
        : createApiKey(deps, { id: tenantId }, input))
      return { ...keyView(created.apiKey), api_key: created.key }
    }
    case 'key list': {
      const { tenantId } = command
      const owner = tenantId === null ? null : await findTenant(deps, { id: tenantId })
      const keys = await listApiKeys(deps, owner)
      return { keys: keys.map(keyView) }
    }
    case 'key revoke':
      return keyView(await revokeApiKey(deps, { keyId: command.keyId }))
  }
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
