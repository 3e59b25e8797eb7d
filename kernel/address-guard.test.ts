import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { addressGuard, type AddressGuard, type AddressGuardOptions, type GuardedRequest } from './address-guard.js'
import { adjustableClock } from './clock.js'
import { atEnd, ending } from '../test/harness/at-end.js'
import { until } from '../test/harness/until.js'

function guardOf(options: Partial<AddressGuardOptions>): AddressGuard {
  return ending(addressGuard({ allowLoopback: false, allowHttp: false, resolve: noResolver, ...options }))
}
const sandboxGuard = (options: Partial<AddressGuardOptions> = {}) =>
  guardOf({ allowLoopback: true, allowHttp: true, ...options })

const noResolver = (hostname: string) => Promise.reject(new Error(`nobody may ask for ${hostname}`))

/** A resolver that gives these answers in turn, the last one for ever. */
function resolverOf(...answers: string[][]) {
  const asked: string[] = []
  const resolve = (hostname: string) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? []
    asked.push(hostname)
    return Promise.resolve(answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
  }
  return { asked, resolve }
}

async function listen(server: Server | ReturnType<typeof createTlsServer>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** A receiver on loopback that counts what reaches it. */
async function receiver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  return { requests, server, port: await listen(server) }
}

const T1 = 'tenant-1'
const POST: GuardedRequest = {
  ...{ tenantId: T1, method: 'POST', headers: {}, body: '{}' },
  ...{ timeoutMs: 5000, maxResponseBytes: 65_536 },
}

/** The words of a text. */
const urls = (text: string) => text.trim().split(/\s+/)

const NOT_PUBLIC = 'must resolve to public addresses only'

describe('what URLs a caller may choose', () => {
  it.each(
    urls(`
      https://127.0.0.1/ https://127.1/ https://2130706433/ https://0x7f000001/ https://0177.0.0.1/
      https://①②⑦.0.0.1/ https://127.0.0.1./ https://0/ https://10.1.2.3/ https://100.64.0.1/
      https://169.254.169.254/latest/meta-data https://172.31.255.255/ https://192.0.0.8/ https://192.0.2.1/
      https://192.168.0.1/ https://198.19.0.1/ https://224.0.0.1/ https://255.255.255.255/ https://[::]/
      https://[::1]/ https://[::7f00:1]/ https://[::ffff:127.0.0.1]/ https://[::ffff:0:10.0.0.1]/
      https://[64:ff9b::10.0.0.1]/ https://[64:ff9b:1::808:808]/ https://[2002:a00:1::]/
      https://[2001:0:a00:1:0:0:f7f7:f7f7]/ https://[2001:0:808:808:0:0:f5ff:fffe]/ https://[100::1]/
      https://[2001:db8::1]/ https://[3fff::1]/ https://[4000::1]/ https://[5f00::1]/ https://[fc00::1]/
      https://[fe80::1]/ https://[fec0::1]/ https://[ff02::1]/ https://localhost/ https://api.LOCALHOST./
    `),
  )('refuses %s without asking a resolver', async (url) => {
    const guard = guardOf({})
    expect(await guard.check(url, T1)).toBe(NOT_PUBLIC)
    expect(await guard.request(url, POST)).toEqual({ failure: 'address_refused' })
  })

  it.each(
    urls(`
      https://8.8.8.8/ https://[2606:4700:4700::1111]/ https://[::ffff:8.8.8.8]/ https://[64:ff9b::808:808]/
      https://[2002:808:808::]/ https://[2001:0:808:808:0:0:f7f7:f7f7]/
    `),
  )('accepts the public address %s', async (url) => {
    expect(await guardOf({}).check(url, T1)).toBeUndefined()
  })

  it.each([
    ['http://8.8.8.8/', 'must be an https URL'],
    ['ftp://8.8.8.8/', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['https://user@8.8.8.8/', 'must not carry credentials'],
    ['https://:secret@8.8.8.8/', 'must not carry credentials'],
    ['/hook', 'must be an absolute URL'],
    [`https://8.8.8.8/${'a'.repeat(2048)}`, 'must be an absolute URL'],
  ])('refuses %s: %s', async (url, reason) => {
    expect(await guardOf({}).check(url, T1)).toBe(reason)
  })

  it('accepts a name only when all of its addresses are public', async () => {
    const { resolve } = resolverOf(['93.184.216.34', '10.0.0.1'])
    expect(await guardOf({ resolve }).check('https://mixed.test/', T1)).toBe(NOT_PUBLIC)
    expect(
      await guardOf({ resolve: resolverOf(['93.184.216.34']).resolve }).check('https://good.test/', T1),
    ).toBeUndefined()
    expect(await guardOf({ resolve: resolverOf([]).resolve }).check('https://empty.test/', T1)).toBe(NOT_PUBLIC)
  })

  it('opens loopback and http in the sandbox, and no private network', async () => {
    const guard = sandboxGuard()
    for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])
      expect(await guard.check(`http://${host}:8080/hook`, T1)).toBeUndefined()
    for (const host of ['10.0.0.1', '169.254.169.254', '[fc00::1]', '0.0.0.0'])
      expect(await guard.check(`http://${host}/`, T1)).toBe(NOT_PUBLIC)
  })

  it('keeps the verdict of a name for 60 seconds and asks once for callers that come together', async () => {
    const clock = adjustableClock()
    const { asked, resolve } = resolverOf(['93.184.216.34'], ['10.0.0.1'])
    const guard = guardOf({ clock, resolve })
    const check = () => guard.check('https://hooks.test/a', T1)
    expect(await Promise.all([check(), check(), guard.check('https://hooks.test/b', T1)])).toEqual(
      Array(3).fill(undefined),
    )
    clock.advance(59_000)
    expect(await check()).toBeUndefined()
    expect(asked).toHaveLength(1)
    clock.advance(2_000)
    expect(await check()).toBe(NOT_PUBLIC)
    expect(asked).toHaveLength(2)
  })

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'SERVFAIL'])(
    'accepts a name that cannot be looked up now (%s), and asks again five seconds later',
    async (code) => {
      const clock = adjustableClock()
      let isBroken = true
      const { resolve } = resolverOf(['10.0.0.1'])
      const failing = (name: string) => (isBroken ? Promise.reject(new Error(code)) : resolve(name))
      const guard = guardOf({ clock, resolve: failing })
      expect(await guard.check('https://hooks.test/', T1)).toBeUndefined()
      expect(await guard.request('https://hooks.test/', POST)).toEqual({ failure: 'lookup_failed' })
      isBroken = false
      expect(await guard.request('https://hooks.test/', POST)).toEqual({ failure: 'address_refused' })
      clock.advance(5_001)
      expect(await guard.check('https://hooks.test/', T1)).toBe(NOT_PUBLIC)
    },
  )

  it('forgets the names that were not asked for longest', async () => {
    const { asked, resolve } = resolverOf(['93.184.216.34'])
    const guard = guardOf({ resolve })
    for (let index = 0; index <= 1000; index += 1) await guard.check(`https://n${index}.test/`, T1)
    await guard.check('https://n1000.test/', T1)
    expect(asked).toHaveLength(1001)
    await guard.check('https://n0.test/', T1)
    expect(asked).toHaveLength(1002)
  })
})

describe('a request to a URL that a caller chose', () => {
  it('goes to the checked address under its own name, and asks the resolver once', async () => {
    const { requests, port } = await receiver((_request, response) => response.writeHead(204).end())
    const { asked, resolve } = resolverOf(['127.0.0.1'], ['192.0.2.1'])
    const answer = await sandboxGuard({ resolve }).request(`http://hooks.invalid:${port}/a?b=c#d`, POST)
    expect(answer).toMatchObject({ status: 204 })
    expect(requests[0]?.headers.host).toBe(`hooks.invalid:${port}`)
    expect(requests[0]?.url).toBe('/a?b=c')
    expect(asked).toEqual(['hooks.invalid'])
  })

  it('never reaches an inner address that the name turns to after its registration', async () => {
    const { requests, port } = await receiver((_request, response) => response.end())
    const { resolve } = resolverOf(['93.184.216.34'], ['127.0.0.1'])
    const guard = guardOf({ allowHttp: true, resolve })
    const url = `http://rebind.invalid:${port}/`
    expect(await guard.check(url, T1)).toBeUndefined()
    expect(await guard.request(url, POST)).toEqual({ failure: 'address_refused' })
    expect(requests).toHaveLength(0)
  })

  it('names the host in the TLS handshake and verifies its certificate', async () => {
    const names: string[] = []
    const server = createTlsServer({
      SNICallback: (name, done) => {
        names.push(name)
        done(new Error('no certificate'))
      },
    })
    const port = await listen(server)
    const { resolve } = resolverOf(['127.0.0.1'])
    const answer = await sandboxGuard({ resolve }).request(`https://hooks.invalid:${port}/`, POST)
    expect(answer).toHaveProperty('failure')
    expect(names).toEqual(['hooks.invalid'])
  })

  it('does not follow redirects', async () => {
    const target = await receiver((_request, response) => response.end())
    const { port } = await receiver((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end(),
    )
    expect(await sandboxGuard().request(`http://127.0.0.1:${port}/`, POST)).toMatchObject({ status: 307 })
    expect(target.requests).toHaveLength(0)
  })

  it('cuts off an answer of endless size', async () => {
    let closed = false
    const { port } = await receiver((_request, response) => {
      response.on('close', () => (closed = true))
      const pour = () => {
        while (!closed && response.write(Buffer.alloc(16_384)));
        if (!closed) response.once('drain', pour)
      }
      pour()
    })
    expect(await sandboxGuard().request(`http://127.0.0.1:${port}/`, POST)).toMatchObject({ status: 200 })
    await until('it is so', () => closed)
  })

  it('ends headers that drip at the deadline, however lively the connection is', async () => {
    let closed = false
    const { port } = await receiver(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x: y\r\n'), 20)
      socket.on('error', () => {})
      socket.on('close', () => {
        closed = true
        clearInterval(drip)
      })
    })
    const answer = await sandboxGuard().request(`http://127.0.0.1:${port}/`, { ...POST, timeoutMs: 200 })
    expect(answer).toEqual({ failure: 'timeout' })
    await until('it is so', () => closed)
  })

  it('answers at the headers of a body that drips, and closes it at the deadline', async () => {
    let closed = false
    const { port } = await receiver((_request, response) => {
      response.write('.')
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => {
        closed = true
        clearInterval(drip)
      })
    })
    const answer = await sandboxGuard().request(`http://127.0.0.1:${port}/`, { ...POST, timeoutMs: 200 })
    expect(answer).toMatchObject({ status: 200 })
    await until('it is so', () => closed)
  })

  it('gives up a look-up that hangs at the deadline', async () => {
    const guard = sandboxGuard({ resolve: () => new Promise(() => {}) })
    expect(await guard.request('http://hangs.invalid/', { ...POST, timeoutMs: 50 })).toEqual({ failure: 'timeout' })
  })

  it('tells a refused connection and an answer that switches protocols as failed', async () => {
    const { server, port } = await receiver(() => {})
    await new Promise((resolve) => server.close(resolve))
    const failed = { failure: 'connection_failed' }
    expect(await sandboxGuard().request(`http://127.0.0.1:${port}/`, POST)).toEqual(failed)
    const switching = await receiver(({ socket }) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    })
    expect(await sandboxGuard().request(`http://127.0.0.1:${switching.port}/`, POST)).toEqual(failed)
  })

  it('uses a kept connection again, and a new one where the receiver has closed it', async () => {
    const seen = new Set<Socket>()
    let resets = 0
    const { port } = await receiver(({ socket }, response) => {
      // The second request on a kept connection finds it reset, as when it crosses the receiver's idle timeout.
      if (seen.has(socket) && resets === 0) {
        resets += 1
        socket.resetAndDestroy()
      } else response.end()
      seen.add(socket)
    })
    const guard = sandboxGuard()
    // A connection is free once the answer was read to its end, at a moment that only the agent knows.
    for (let sent = 0; resets === 0 && sent < 1000; sent += 1) {
      expect(await guard.request(`http://127.0.0.1:${port}/`, POST)).toMatchObject({ status: 200 })
    }
    expect(resets).toBe(1)
  })
})
