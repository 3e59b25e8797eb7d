import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A server that says everything back in capitals, the way to it, and the pieces that arrived there. */
async function harness(): Promise<{ proxy: TcpProxy; arrived: string[] }> {
  const arrived: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      arrived.push(piece.toString())
      socket.write(piece.toString().toUpperCase())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const proxy = await startTcpProxy((server.address() as AddressInfo).port)
  closing.push(() => proxy.close())
  return { proxy, arrived }
}

async function open({ port }: TcpProxy): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Also by a reset, which `once` would take for a failure. */
function ended(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.on('close', resolve))
}

/** Reads until so many bytes have come. */
async function read(socket: Socket, length: number): Promise<string> {
  let text = ''
  while (text.length < length) text += String((await once(socket, 'data'))[0])
  return text
}

describe('a broken way', () => {
  it('passes everything on as long as nothing is wrong, and ends where one side ends', async () => {
    const { proxy } = await harness()
    const socket = await open(proxy)
    socket.write('hello')
    expect(await read(socket, 5)).toBe('HELLO')
    socket.end()
    await once(socket, 'close')
  })

  it('swallows all bytes of a half-open connection, and resets it once the fault is over', async () => {
    const { proxy, arrived } = await harness()
    const socket = await open(proxy)
    socket.write('before')
    await read(socket, 6)
    const end = proxy.begin({ kind: 'half-open' })
    const silent = await open(proxy)
    socket.write('lost')
    silent.write('lost')
    await expect.poll(() => proxy.swallowedBytes()).toBe(8)
    const closed = Promise.all([ended(socket), ended(silent)])
    end()
    await closed
    expect(arrived).toEqual(['before'])
    const next = await open(proxy)
    next.write('again')
    expect(await read(next, 5)).toBe('AGAIN')
  })

  it('splits pieces into bytes without changing them', async () => {
    const { proxy, arrived } = await harness()
    const end = proxy.begin({ kind: 'bytewise' })
    const socket = await open(proxy)
    const text = 'abcdefgh'.repeat(100)
    socket.write(text)
    expect(await read(socket, text.length)).toBe(text.toUpperCase())
    end()
    expect(arrived.length).toBeGreaterThan(1)
    expect(arrived.join('')).toBe(text)
  })

  it('refuses by a reset, also what is open', async () => {
    const { proxy, arrived } = await harness()
    const socket = await open(proxy)
    const closed = ended(socket)
    const end = proxy.begin({ kind: 'refuse' })
    await closed
    const refused = connect({ port: proxy.port, host: '127.0.0.1' })
    refused.on('error', () => undefined)
    await ended(refused)
    end()
    expect(arrived).toEqual([])
  })

  it('answers in place of the server, which learns nothing', async () => {
    const { proxy, arrived } = await harness()
    const socket = await open(proxy)
    const end = proxy.begin({ kind: 'answer', text: '<html>' })
    socket.write('question')
    expect(await read(socket, 6)).toBe('<html>')
    await once(socket, 'close')
    end()
    expect(arrived).toEqual([])
  })
})
