import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownFolder } from '../test/harness/at-end.js'
import { nameServer } from '../test/harness/name-server.js'
import { until } from '../test/harness/until.js'
import { hostLookUps } from './look-up-host.js'

const IPV4 = { address: '93.184.216.34', family: 4 }
const IPV6 = { address: '2606:4700::1', family: 6 }

async function hostsFile(text: string): Promise<string> {
  const file = join(await ownFolder(), 'hosts')
  await writeFile(file, text)
  return file
}

const never = new AbortController().signal
const isSilent = (name: string) => name.endsWith('.silent.example')

describe('a look-up', () => {
  it('waits for no other, however many hang', async () => {
    const { asked, nameServers } = await nameServer((name) => (isSilent(name) ? 'silence' : 'records'))
    const lookUp = hostLookUps({ nameServers })
    const givingUp = new AbortController()
    const hanging = Array.from({ length: 100 }, (_, index) => lookUp(`n${index}.silent.example`, givingUp.signal))
    const ended = Promise.allSettled(hanging)
    await until('all are asked for', () => new Set(asked).size === 100)
    expect(await lookUp('hooks.example', never)).toEqual([IPV4, IPV6])
    givingUp.abort()
    expect((await ended).map(({ status }) => status)).toEqual(Array(100).fill('rejected'))
  })

  it.each([
    ['records', 'none', [IPV4]],
    ['none', 'records', [IPV6]],
    ['records', 'failure', [IPV4]],
    ['no_such_name', 'records', [IPV6]],
  ] as const)('gives the addresses of both families that are told: %s and %s', async (ofA, ofAaaa, addresses) => {
    const { nameServers } = await nameServer((_name, type) => (type === 'A' ? ofA : ofAaaa))
    expect(await hostLookUps({ nameServers })('hooks.example', never)).toEqual(addresses)
  })

  it.each([
    ['none', 'ENODATA'],
    ['no_such_name', 'ENOTFOUND'],
    ['failure', 'ESERVFAIL'],
  ] as const)('rejects where no family has an address: %s', async (answer, code) => {
    const { nameServers } = await nameServer(() => answer)
    await expect(hostLookUps({ nameServers })('hooks.example', never)).rejects.toThrow(code)
  })

  it('asks again each time', async () => {
    const { asked, nameServers } = await nameServer(() => 'records')
    const lookUp = hostLookUps({ nameServers })
    await lookUp('hooks.example', never)
    await lookUp('hooks.example', never)
    expect(asked).toEqual(Array(4).fill('hooks.example'))
  })

  it('knows the names of the hosts file as they are there now, and asks nobody for them', async () => {
    const { asked, nameServers } = await nameServer(() => 'no_such_name')
    const file = await hostsFile('# 10.0.0.1 shop.test\n127.0.0.1\tlocalhost Shop.test # here\n::1 shop.test\n')
    const lookUp = hostLookUps({ hostsFile: file, nameServers })
    expect(await lookUp('shop.test', never)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(asked).toEqual([])
    await writeFile(file, '')
    await expect(lookUp('shop.test', never)).rejects.toThrow('ENOTFOUND')
    await expect(hostLookUps({ hostsFile: `${file}.none`, nameServers })('shop.test', never)).rejects.toThrow(
      'ENOTFOUND',
    )
  })

  it('is given up at once', async () => {
    const { asked, nameServers } = await nameServer(() => 'silence')
    const lookUp = hostLookUps({ nameServers })
    const givingUp = new AbortController()
    const hanging = lookUp('hooks.example', givingUp.signal)
    hanging.catch(() => undefined)
    await until('it is asked for', () => asked.length > 0)
    givingUp.abort()
    await expect(hanging).rejects.toThrow('ECANCELLED')
    await expect(lookUp('hooks.example', givingUp.signal)).rejects.toThrow('aborted')
  })
})
