import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keyRing } from '../../../kernel/encryption.js'
import { WEBHOOK_SECRETS } from '../deps.js'
import { hashApiKey, parseApiKey } from '../domain/api-key.js'
import { rotateWebhookSecret } from '../domain/rotate-webhook-secret.js'
import { keyStatus } from '../domain/key-status.js'
import { webhookSecrets } from '../domain/webhook-secrets.js'
import { startAccountsHarness } from '../../../test/harness/accounts.js'
import { tenantCli } from './tenant-cli.js'
import { ownFolder } from '../../../test/harness/at-end.js'
import { runCli } from '../../../test/harness/run-cli.js'

const accounts = await startAccountsHarness()
const dataDir = await ownFolder()

const liveEnv = () => ({ DATABASE_URL: accounts.url, MASTER_KEY: accounts.masterKey.toString('hex') })

function run(args: string, environment: NodeJS.ProcessEnv = liveEnv()) {
  const words = args.split(' ').filter((word) => word !== '')
  return runCli(tenantCli, words, environment)
}

async function json(args: string, environment?: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const { exitCode, out, err } = await run(args, environment)
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return JSON.parse(out) as Record<string, unknown>
}

/** What signs for an integration of a tenant, the default one where none is named. */
const secretsOf = (id: unknown, client?: unknown) =>
  webhookSecrets(accounts.deps, { id: String(id) }, { publicClientId: client === undefined ? null : String(client) })
const statusOf = (key: unknown) => keyStatus(accounts.deps, { hash: hashApiKey(String(key)) })

describe('npm run tenant', () => {
  it('creates a tenant whose key and secret work', async () => {
    const tenant = await json('create --name Shop --products crypto,credit_card')
    expect(tenant).toMatchObject({ name: 'Shop', products: ['crypto', 'credit_card'] })
    expect(await statusOf(tenant['api_key'])).toMatchObject({ tenantId: tenant['id'] })
    expect(await secretsOf(tenant['id'])).toEqual([tenant['webhook_secret']])
  })

  it('adds an integration under an id from elsewhere, once', async () => {
    const { id } = await json('create --name Shop')
    const clientId = `old-${'ab'.repeat(16)}`
    const added = await json(`integration add --tenant ${String(id)} --public-client-id ${clientId}`)
    expect(added).toMatchObject({ tenant_id: id, public_client_id: clientId, webhook_url: null })
    expect(await secretsOf(id, clientId)).toEqual([added['webhook_secret']])
    const { id: other } = await json('create --name Other')
    for (const [tenant, publicId, why] of [
      [other, clientId, /is taken/],
      [id, 'nonsense', /prefix followed by 32 hex/],
    ]) {
      const { exitCode, err } = await run(
        `integration add --tenant ${String(tenant)} --public-client-id ${String(publicId)}`,
      )
      expect([exitCode, err]).toEqual([1, expect.stringMatching(why as RegExp)])
    }
    const made = await json(`integration add --tenant ${String(id)}`)
    expect(made['public_client_id']).toMatch(/^[a-z]+_[0-9a-f]{32}$/)
  })

  it('lists, shows and changes tenants, and knows no other', async () => {
    const { id } = await json('create --name Shop --products crypto')
    const { tenants } = await json('list')
    expect(tenants).toContainEqual(expect.objectContaining({ id, name: 'Shop', products: ['crypto'] }))
    const changed = await json(`change --tenant ${String(id)} --name Store --products pix,kyc`)
    expect(changed).toMatchObject({ id, name: 'Store', products: ['pix', 'kyc'], disabled_at: null })
    const shown = await json(`show --tenant ${String(id)}`)
    expect(shown).toMatchObject({ name: 'Store', integrations: [{ is_default: true }], keys: [{ name: 'first key' }] })
    expect(JSON.stringify(shown)).not.toContain('whsec_')
    const named = ['show', 'change --name A', 'disable', 'enable', 'key list', 'key create', 'integration list']
    for (const command of named) {
      expect(await run(`${command} --tenant cnobody`)).toMatchObject({ exitCode: 1, err: 'No such tenant.' })
    }
    expect(await run(`change --tenant ${String(id)}`)).toMatchObject({ exitCode: 1, err: 'Nothing is to be changed.' })
    expect((await run(`change --tenant ${String(id)} --name=`)).err).toMatch(/1 to 200 characters/)
  })

  it('disables a tenant: no key of it opens anything until it is enabled again', async () => {
    const { id, api_key: key } = await json('create --name Shop')
    const { disabled_at: since } = await json(`disable --tenant ${String(id)}`)
    expect(await statusOf(key)).toBeNull()
    expect(await json(`disable --tenant ${String(id)}`)).toMatchObject({ disabled_at: since })
    await json(`enable --tenant ${String(id)}`)
    expect(await statusOf(key)).toMatchObject({ tenantId: id })
    const platform = await json('key create --platform')
    expect(await statusOf(platform['api_key'])).toMatchObject({ tenantId: null })
  })

  it('gives an integration another secret, beside the old one for as long as is said', async () => {
    const { id, public_client_id: client, webhook_secret: old } = await json('create --name Shop')
    const of = `--tenant ${String(id)} --public-client-id ${String(client)}`
    const { webhook_secret: secret } = await json(`integration rotate ${of} --overlap-hours 2`)
    const valid = () => secretsOf(id, client)
    expect(await valid()).toEqual([secret, old])
    // Repeated, as if the answers had been lost with their secrets: receivers have the old one.
    const { webhook_secret: again } = await json(`integration rotate ${of} --overlap-hours 3`)
    expect(await valid()).toEqual([again, secret, old])
    const { webhook_secret: third } = await json(`integration rotate ${of} --overlap-hours 3`)
    expect(await valid()).toEqual([third, again, secret, old])
    const { webhook_secret: next } = await json(`integration rotate ${of} --overlap-hours 0`)
    expect(await valid()).toEqual([next])
    for (const hours of ['-1', '169', 'x']) {
      expect((await run(`integration rotate ${of} --overlap-hours=${hours}`)).exitCode).toBe(2)
    }
    expect(await run(`integration rotate --tenant ${String(id)} --public-client-id pk_none`)).toMatchObject({
      exitCode: 1,
      err: 'No such integration.',
    })
  })

  it('changes where the events of an integration go, and nothing of its secret', async () => {
    const { id, public_client_id: client, webhook_secret: secret } = await json('create --name Shop')
    const of = `--tenant ${String(id)} --public-client-id ${String(client)}`
    const changed = await json(`integration change ${of} --webhook-url https://shop.example/hooks`)
    expect(changed).toMatchObject({ public_client_id: client, webhook_url: 'https://shop.example/hooks' })
    expect((await json(`integration list --tenant ${String(id)}`))['integrations']).toEqual([changed])
    expect(await secretsOf(id, client)).toEqual([secret])
    expect(await json(`integration change ${of} --no-webhook-url`)).toMatchObject({ webhook_url: null })
    const { id: other } = await json('create --name Other')
    for (const [tenant, client_, err] of [
      [id, 'pk_none', 'No such integration.'],
      [other, client, 'No such integration.'],
      ['cnobody', client, 'No such tenant.'],
    ]) {
      const args = `--tenant ${String(tenant)} --public-client-id ${String(client_)} --webhook-url https://a.example/`
      expect(await run(`integration change ${args}`)).toMatchObject({ exitCode: 1, err })
    }
    expect((await run(`integration change ${of}`)).err).toContain('Either --webhook-url or --no-webhook-url is needed.')
    expect((await run(`integration change ${of} --webhook-url ftp://a`)).exitCode).toBe(2)
  })

  it('ties a key to an integration, the default one where none is named', async () => {
    const { id, public_client_id: first } = await json('create --name Shop')
    const { public_client_id: second } = await json(`integration add --tenant ${String(id)}`)
    const keyOf = (client: unknown) =>
      json(`key create --tenant ${String(id)}${client === undefined ? '' : ` --public-client-id ${String(client)}`}`)
    for (const [client, kept] of [
      [second, second],
      [first, null],
      [undefined, null],
    ]) {
      const key = await keyOf(client)
      expect(key['public_client_id']).toBe(kept)
      expect(await statusOf(key['api_key'])).toMatchObject({ tenantId: id, publicClientId: kept })
    }
    const { public_client_id: foreign } = await json('create --name Other')
    for (const client of ['pk_none', foreign]) {
      const outcome = await run(`key create --tenant ${String(id)} --public-client-id ${String(client)}`)
      expect(outcome).toMatchObject({ exitCode: 1, err: 'No such integration.' })
    }
    expect((await run('key create --platform --public-client-id pk_none')).exitCode).toBe(2)
  })

  it('narrows the fiat currencies of a tenant, and takes that back', async () => {
    const { id, api_key: key } = await json('create --name Shop')
    expect(await json(`limit-fiats --tenant ${String(id)} --fiats BRL,EUR`)).toEqual({ id, fiats: ['BRL', 'EUR'] })
    expect(await statusOf(key)).toMatchObject({ fiats: ['BRL', 'EUR'] })
    expect(await json(`limit-fiats --tenant ${String(id)}`)).toEqual({ id, fiats: null })
    expect(await statusOf(key)).toMatchObject({ fiats: null })
    expect((await run(`limit-fiats --tenant ${String(id)} --fiats real`)).exitCode).toBe(1)
  })

  it('creates, lists and revokes keys, and shows a key only once', async () => {
    const { id, key_id } = await json('create --name Shop')
    const key = await json(`key create --tenant ${String(id)} --name till --expires 2999-01-01T00:00:00Z --live`)
    expect(parseApiKey(String(key['api_key']))).toEqual({ mode: 'live' })
    expect(await statusOf(key['api_key'])).toMatchObject({ tenantId: id })
    const { keys } = await json(`key list --tenant ${String(id)}`)
    expect(keys).toMatchObject([
      { id: key['id'], name: 'till', expires_at: '2999-01-01T00:00:00.000Z', revoked_at: null },
      { id: key_id, revoked_at: null },
    ])
    expect(JSON.stringify(keys)).not.toContain(String(key['api_key']).slice(12))
    expect(JSON.stringify(keys)).not.toContain(hashApiKey(String(key['api_key'])))
    expect(await json(`key revoke --key ${String(key['id'])}`)).toMatchObject({ revoked_at: expect.any(String) })
    expect(await statusOf(key['api_key'])).toBeNull()
    expect(await run('key revoke --key cnothing')).toMatchObject({ exitCode: 1, err: 'No such key.' })
  })

  it('finds the running sandbox by its data folder', async () => {
    const environment = { DATA_DIR: dataDir }
    const missing = await run('key list --platform', environment)
    expect(missing).toMatchObject({ exitCode: 1, out: '' })
    expect(missing.err).toContain('npm start')
    await writeFile(join(dataDir, 'sandbox.json'), JSON.stringify({ database_url: accounts.url }))
    await writeFile(join(dataDir, 'master-key'), `${accounts.masterKey.toString('hex')}\n`)
    const tenant = await json('create --name Sandbox', environment)
    expect(await secretsOf(tenant['id'])).toEqual([tenant['webhook_secret']])
  })

  it('needs the master key only to make a secret, and never seals one for a database of another key', async () => {
    const environment = { DATABASE_URL: `${accounts.url}?application_name=other`, DATA_DIR: dataDir }
    await json('key create --platform', environment)
    expect(await run('create --name Shop', environment)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('MASTER_KEY is needed') as string,
    })
  })

  it('seals every webhook secret for a new master key, so that the earlier one can go', async () => {
    const { id } = await json('create --name Shop')
    const tenant = { id: String(id) }
    const stored = await accounts.deps.accounts.findIntegration(tenant.id, null)
    if (!stored) throw new Error('a tenant has an integration')
    const rotated = await rotateWebhookSecret(accounts.deps, tenant, { publicClientId: stored.publicClientId })
    const secrets = await secretsOf(id)
    expect(secrets).toEqual([rotated.secret, expect.any(String)])
    const newKey = randomBytes(32)
    const both = {
      ...liveEnv(),
      MASTER_KEY: newKey.toString('hex'),
      MASTER_KEY_PREVIOUS: accounts.masterKey.toString('hex'),
    }
    const withKeys = (...keys: Buffer[]) =>
      webhookSecrets({ ...accounts.deps, keyRing: keyRing(keys, WEBHOOK_SECRETS) }, tenant, { publicClientId: null })
    expect(await withKeys(newKey, accounts.masterKey)).toEqual(secrets)
    await expect(withKeys(newKey)).rejects.toThrow('not in the key ring')
    const { sealed_again: count, not_opened: notOpened } = await json('rotate-secrets', both)
    expect([count, notOpened]).toEqual([expect.any(Number), []])
    expect(Number(count)).toBeGreaterThan(0)
    expect(await withKeys(newKey)).toEqual(secrets)
    expect(await json('rotate-secrets', both)).toEqual({ sealed_again: 0, not_opened: [] })
    const stranger = { ...both, MASTER_KEY: randomBytes(32).toString('hex') }
    expect((await json('rotate-secrets', stranger))['not_opened']).toContainEqual({
      tenant_id: tenant.id,
      public_client_id: stored.publicClientId,
    })
    await json('rotate-secrets', {
      ...both,
      MASTER_KEY: both.MASTER_KEY_PREVIOUS,
      MASTER_KEY_PREVIOUS: both.MASTER_KEY,
    })
    expect(await secretsOf(id)).toEqual(secrets)
  })

  it('says that the database cannot be reached, without its password', async () => {
    const environment = { ...liveEnv(), DATABASE_URL: 'postgres://me:topsecret@127.0.0.1:1/none' }
    const { exitCode, err } = await run('key list --platform', environment)
    expect(exitCode).toBe(1)
    expect(err).toMatch(/DATABASE_URL cannot be reached/)
    expect(err).not.toContain('topsecret')
  })

  it('says how the embedded database is started, where it is stopped', async () => {
    const folder = await ownFolder()
    const sandbox = { database_url: 'postgres://me:topsecret@127.0.0.1:1/none' }
    await writeFile(join(folder, 'sandbox.json'), JSON.stringify(sandbox))
    const { exitCode, err } = await run('key list --platform', { DATA_DIR: folder, MASTER_KEY: 'ab'.repeat(32) })
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/cannot be reached .*npm start/)])
  })

  it.each([
    ['', 'There is no command.'],
    ['destroy', 'There is no command "destroy".'],
    ['key', 'There is no command "key".'],
    ['create', '--name is needed.'],
    ['create --name a --products cash', '--products is a comma list'],
    ['create --name a --wat', "Unknown option '--wat'"],
    ['create --name a extra', 'Unexpected argument'],
    ['key create', '--tenant is needed.'],
    ['key create --tenant a --platform', 'not both'],
    ['key create --tenant a --expires soon', '--expires is an ISO 8601 date'],
    ['key revoke', '--key is needed.'],
    ['rotate-secrets now', 'Unexpected argument'],
  ])('explains itself and exits with 2 when it is used as "%s"', async (args, message) => {
    const { exitCode, out, err } = await run(args)
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toContain('Usage: npm run tenant')
  })

  it('explains itself when asked', async () => {
    expect(await run('--help')).toMatchObject({ exitCode: 0, out: expect.stringContaining('Usage') as string, err: '' })
  })
})
