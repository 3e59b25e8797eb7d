import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import { startAccountsHarness } from '../test/harness/accounts.js'
import { ERROR_ADVICE } from '../rest-compat/error-advice.js'
import { runIntoClosedPipe } from '../test/harness/closed-pipe.js'
import { adminCli } from './admin-cli.js'

const accounts = await startAccountsHarness()
const ENV = { DATABASE_URL: accounts.url, MASTER_KEY: accounts.masterKey.toString('hex') }

const run = (...args: string[]) => runWith(ENV, ...args)

async function runWith(environment: Record<string, string>, ...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const output = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) }
  return { exitCode: await adminCli(args, output, environment), out: out.join('\n'), err: err.join('\n') }
}

describe('the one program of the deployment', () => {
  it.each([
    ['ledger', 'limits', '--tenant', 'cnobody', '--currency', 'BRL'],
    ['ledger', 'pause', '--tenant=cnobody', '--reason', 'x'],
    ['ledger', 'fees', '--tenant', 'cnobody'],
    ['kyc', 'erase', '--tenant', 'cnobody', '--email', 'ana@example.com'],
    ['audit', '--tenant', 'cnobody'],
    ['tenant', 'show', '--tenant', 'cnobody'],
  ])('refuses a tenant that there is none of: %s %s', async (...args) => {
    expect(await run(...args)).toEqual({ exitCode: 1, out: '', err: 'No such tenant.' })
  })

  it('hands the words to the part where there is the tenant, or none is named', async () => {
    const made = await run('tenant', 'create', '--name', 'Shop')
    const { id } = JSON.parse(made.out) as { id: string }
    // Nobody has done anything in it yet.
    expect(await run('audit', '--tenant', id)).toEqual({ exitCode: 0, out: '', err: '' })
    expect((await run('tenant', 'show', '--tenant', id)).out).toContain(id)
    expect((await run('tenant', 'list')).out).toContain(id)
  })

  it.each(['tenant', 'ledger', 'kyc', 'audit', 'supergraph'])('explains %s when asked', async (part) => {
    expect(await run(part, '--help')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Usage') as string,
      err: '',
    })
  })

  it('writes the composed schema with the addresses of a deployment, all of them or none', async () => {
    const names = ['payments', 'orders', 'yield', 'kyc', 'accounts']
    const urls = names.map((name) => `${name}=http://${name}.internal:4000/${name}/graphql`)
    const ofUrls = (SUBGRAPH_URLS: string) => runWith({ SUBGRAPH_URLS }, 'supergraph')
    const { exitCode, out } = await ofUrls(urls.join(','))
    const written = [...out.matchAll(/@join__graph\(name: "(\w+)", url: "([^"]+)"\)/g)]
    expect([exitCode, written.map(([, name, url]) => `${name}=${url}`).sort()]).toEqual([0, urls.toSorted()])
    expect(await ofUrls(`${urls.slice(1).join(',')},paymets=http://paymets`)).toEqual({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(/SUBGRAPH_URLS has to name payments\nSUBGRAPH_URLS names paymets/) as string,
    })
  })

  it('does what the advice of webhook_address_missing says', async () => {
    const made = await run('tenant', 'create', '--name', 'Silent')
    const { id, public_client_id: client } = JSON.parse(made.out) as { id: string; public_client_id: string }
    const [, command = ''] = /`npm run tenant -- ([^`]+)`/.exec(ERROR_ADVICE.webhook_address_missing) ?? []
    const filled = command
      .replace('--tenant ID', `--tenant ${id}`)
      .replace('--public-client-id ID', `--public-client-id ${client}`)
      .replace('URL', 'https://shop.example/hooks')
    const changed = await run('tenant', ...filled.split(' '))
    expect(changed).toMatchObject({ exitCode: 0, out: expect.stringContaining('https://shop.example/hooks') as string })
  })

  it('ends quietly where nobody reads on', async () => {
    expect(await runIntoClosedPipe(['--no-deprecation', join(projectRoot, 'dist/product/admin.js'), '--help'])).toEqual(
      { code: 0, err: '' },
    )
  })

  it('knows no other part', async () => {
    expect((await run('toString')).exitCode).toBe(2)
    expect((await run()).err).toContain('Usage: npm run admin')
    expect((await run('--help')).exitCode).toBe(0)
  })
})
