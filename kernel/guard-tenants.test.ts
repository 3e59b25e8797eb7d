import { describe, expect, it } from 'vitest'
import { ending } from '../test/harness/at-end.js'
import { nameServer } from '../test/harness/name-server.js'
import { serve } from '../test/harness/serve.js'
import { until } from '../test/harness/until.js'
import { addressGuard } from './address-guard.js'
import { hostLookUps } from './look-up-host.js'

const POST = { method: 'POST', headers: {}, body: '{}', maxResponseBytes: 1000 }

describe('what hangs of one tenant', () => {
  it('keeps no other waiting for a look-up, and is looked up for 16 names at once', async () => {
    const { asked, nameServers } = await nameServer((name, type) => {
      if (name.endsWith('.silent.example')) return 'silence'
      return type === 'A' ? 'inner_address' : 'none'
    })
    const resolve = hostLookUps({ nameServers })
    const guard = ending(addressGuard({ allowLoopback: false, allowHttp: false, resolve }))
    const send = (tenantId: string, name: string) =>
      guard.request(`https://${name}/`, { ...POST, tenantId, timeoutMs: 60_000 })
    const hanging = Array.from({ length: 40 }, (_, index) => send('silent', `n${index}.silent.example`))
    await until('many are asked for', () => new Set(asked).size === 16)
    const refused = { failure: 'address_refused' }
    expect(await Promise.race([send('quick', 'hooks.example'), ...hanging])).toEqual(refused)
    expect(await guard.check('https://checked.example/', 'quick')).toBe('must resolve to public addresses only')
    expect(new Set(asked).size).toBe(18)
  })

  it('leaves nothing in the way of its tenant, once it is given up', async () => {
    const silent = () => new Promise<never>(() => {})
    const resolve = (name: string) =>
      name === 'hooks.example' ? Promise.resolve([{ address: '10.0.0.1', family: 4 }]) : silent()
    const guard = ending(addressGuard({ allowLoopback: false, allowHttp: false, resolve }))
    const send = (name: string, timeoutMs: number) =>
      guard.request(`https://${name}/`, { ...POST, tenantId: 't1', timeoutMs })
    await Promise.all(Array.from({ length: 40 }, (_, index) => send(`n${index}.silent.example`, 50)))
    expect(await send('hooks.example', 60_000)).toEqual({ failure: 'address_refused' })
  })

  it('ends at its deadline, also what waits for a connection', async () => {
    let arrived = 0
    const { url } = await serve(() => (arrived += 1))
    const guard = ending(addressGuard({ allowLoopback: true, allowHttp: true }))
    let ended = 0
    const send = (timeoutMs: number) => guard.request(url, { ...POST, tenantId: 't1', timeoutMs })
    const hanging = Array.from({ length: 40 }, () => send(2_000).finally(() => (ended += 1)))
    await until('most have arrived', () => arrived >= 32)
    expect(await send(50)).toEqual({ failure: 'timeout' })
    expect(ended).toBe(0)
    await Promise.all(hanging)
  })
})
