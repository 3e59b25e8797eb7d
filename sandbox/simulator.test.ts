import { describe, expect, it } from 'vitest'
import { startSimulator, type SimulatorOptions } from './simulator.js'
import { ending } from '../test/harness/at-end.js'

/** A provider whose only work is to count its calls. */
async function counter(options: Partial<SimulatorOptions> = {}) {
  const worked: string[] = []
  let requests = 0
  const simulator = ending(
    await startSimulator({
      port: 0,
      serverError: { status: 503, body: { error: 'busy' } },
      routes: (app) => {
        app.server.on('request', () => (requests += 1))
        app.post('/work', async (request) => {
          worked.push(JSON.stringify(request.body))
          return { done: worked.length }
        })
        app.get('/sandbox/worked', async () => worked)
      },
      ...options,
    }),
  )
  const post = (path: string, body: unknown) =>
    fetch(`${simulator.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    simulator,
    arrived: () => requests,
    worked,
    work: () => post('/work', { a: 1 }),
    fault: (body: unknown) => post('/sandbox/faults', body),
  }
}

describe('a simulator', () => {
  it('listens on the loopback address, and refuses a port that is taken', async () => {
    const { simulator } = await counter()
    expect(new URL(simulator.url).hostname).toBe('127.0.0.1')
    await expect(counter({ port: Number(new URL(simulator.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('cuts the connection before any work in fault "down"', async () => {
    const { worked, work, fault } = await counter()
    await fault({ mode: 'down' })
    await expect(work()).rejects.toThrow(TypeError)
    await expect(work()).rejects.toThrow(TypeError)
    expect(worked).toEqual([])
  })

  it('does the work and then cuts the connection in fault "drop-answer"', async () => {
    const { worked, work, fault } = await counter()
    await fault({ mode: 'drop-answer', times: 1 })
    await expect(work()).rejects.toThrow(TypeError)
    expect(worked).toEqual(['{"a":1}'])
    expect(await (await work()).json()).toEqual({ done: 2 })
  })

  it('answers the provider\'s own 5xx without work in fault "error"', async () => {
    const { worked, work, fault } = await counter()
    await fault({ mode: 'error' })
    const answer = await work()
    expect([answer.status, await answer.json()]).toEqual([503, { error: 'busy' }])
    expect(worked).toEqual([])
  })

  it('holds a call back and then does it in fault "slow"', async () => {
    const { worked, work, fault } = await counter()
    await fault({ mode: 'slow', ms: 5 })
    expect((await work()).status).toBe(200)
    expect(worked).toHaveLength(1)
  })

  it('stops without waiting for a call that it holds back, and cuts it undone', async () => {
    const { simulator, arrived, worked, work, fault } = await counter()
    await fault({ mode: 'slow', ms: 60_000 })
    const held = expect(work()).rejects.toThrow(TypeError)
    await expect.poll(arrived).toBe(2)
    await simulator.close()
    await held
    expect(worked).toEqual([])
  })

  it('fails as many times as it was told, or until "ok", and never on its control routes', async () => {
    const { simulator, work, fault } = await counter()
    await fault({ mode: 'error', times: 2 })
    expect([(await work()).status, (await work()).status, (await work()).status]).toEqual([503, 503, 200])
    await fault({ mode: 'error' })
    for (let call = 0; call < 5; call += 1) expect((await work()).status).toBe(503)
    expect((await fetch(`${simulator.url}/sandbox/worked`)).status).toBe(200)
    await fault({ mode: 'ok' })
    expect((await work()).status).toBe(200)
  })

  it('fails only what a fault is about, and counts nothing else', async () => {
    const { work, fault } = await counter()
    await fault({ mode: 'error', times: 1, about: 'elsewhere' })
    expect((await work()).status).toBe(200)
    await fault({ mode: 'error', times: 1, about: 'work' })
    expect([(await work()).status, (await work()).status]).toEqual([503, 200])
  })

  it('refuses a fault that it does not have', async () => {
    const { work, fault } = await counter()
    const wrong = [
      {},
      { mode: 'broken' },
      { mode: 'down', times: 0 },
      { mode: 'slow', ms: -1 },
      { mode: 'slow', ms: '5' },
      { mode: 'down', about: 5 },
      null,
    ]
    for (const body of wrong) expect((await fault(body)).status).toBe(400)
    expect((await work()).status).toBe(200)
  })

  it('is told when the clock was moved', async () => {
    let moved = 0
    const { simulator } = await counter({ onClockMoved: () => void (moved += 1) })
    await simulator.advanceClock()
    expect(moved).toBe(1)
  })
})
