import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { atEnd, ending } from '../test/harness/at-end.js'
import { ownDatabase, query } from '../test/harness/database.js'
import { until } from '../test/harness/until.js'
import { createLog } from './log.js'
import { openNotifications } from './notifications.js'

const { url } = await ownDatabase()
const log = createLog('silent')
const notify = (payload: string) => query(url, `select pg_notify('news', $1)`, [payload])

/** The connections that listen. */
const LISTENERS = `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`

describe('notifications of the database', () => {
  it('reach those who wait for them, and nobody else', async () => {
    const notifications = ending(openNotifications({ url, channel: 'news', log }))
    const heard: string[] = []
    const stop = notifications.subscribe('a', () => heard.push('a'))
    notifications.subscribe('b', () => heard.push('b'))
    await until('it listens', async () => (await query(url, LISTENERS)).length > 0)
    await until('it was told that it listens', () => Promise.resolve(heard.length === 2))
    heard.length = 0
    await notify('a')
    await until('a is told', () => Promise.resolve(heard.length > 0))
    stop()
    await notify('a')
    await notify('b')
    await until('b is told', () => Promise.resolve(heard.includes('b')))
    expect(heard).toEqual(['a', 'b'])
  })

  it('tell everybody to look once a lost connection is there again', async () => {
    const notifications = openNotifications({ url, channel: 'news', log })
    atEnd(notifications.close)
    let looks = 0
    notifications.subscribe('a', () => (looks += 1))
    await until('it listens', () => Promise.resolve(looks === 1))
    await query(url, `select pg_terminate_backend(pid) from (${LISTENERS}) as listening`)
    await until('it listens again', () => Promise.resolve(looks === 2))
    await notify('a')
    await until('it is told', () => Promise.resolve(looks === 3))
  })

  it('are heard although the first connection is taken and never answered', async () => {
    const { port, hostname } = new URL(url)
    let taken = 0
    const sockets = new Set<Socket>()
    const server = createServer((client) => {
      sockets.add(client.on('error', () => undefined))
      taken += 1
      if (taken > 1) pipeline(client, connect(Number(port), hostname), client, () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    })
    const silent = new URL(url)
    silent.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const notifications = ending(openNotifications({ url: silent.href, channel: 'news', log }))
    let looks = 0
    notifications.subscribe('a', () => (looks += 1))
    await until('it listens', () => Promise.resolve(looks === 1), 20_000)
    await notify('a')
    await until('it is told', () => Promise.resolve(looks === 2))
    expect(taken).toBe(2)
  })
})
