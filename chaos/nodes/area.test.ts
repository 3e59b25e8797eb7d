import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../../sandbox/anvil/anvil.js'
import type { Fault, FaultArea } from '../fault.js'
import { startCallbackProxy } from '../providers/callback-proxy.js'
import { providerArea } from '../providers/area.js'
import { startProviderProxy } from '../providers/provider-proxy.js'
import { randomOf } from '../random.js'
import { rpcArea } from './area.js'
import { startEvmPool } from './evm-pool.js'
import { resultAt } from './json-rpc.js'
import { startSolanaPool } from './solana-pool.js'

let anvil: Anvil
let areas: FaultArea[]
let rpcUrls: string[]
const closes: (() => Promise<void>)[] = []

beforeAll(async () => {
  anvil = await startAnvil({ log: pino({ level: 'silent' }) })
  const evm = await startEvmPool({ rpcUrl: anvil.rpcUrl })
  // Nothing but an EVM call is made here, and that passes any proxy.
  const solana = await startSolanaPool({ rpcUrl: anvil.rpcUrl })
  const pix = await startProviderProxy({ upstream: anvil.rpcUrl })
  const callbacks = await startCallbackProxy({ gateways: () => [anvil.rpcUrl] })
  closes.push(evm.close, solana.close, pix.close, callbacks.close)
  areas = [rpcArea({ evm, solana }), providerArea({ pix }, callbacks)]
  rpcUrls = [...[...evm.nodes, ...solana.nodes].map(({ url }) => url), pix.url]
  await resultAt(anvil.rpcUrl)('anvil_mine', ['0x3'])
})
afterAll(async () => {
  for (const close of closes) await close()
  await anvil.stop()
})

function drawn(area: FaultArea, seed: number, count: number): Fault[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, () => ({ area: area.area, atMs: 0, ...area.draw(random) }))
}

test('the same seed draws the same faults', () => {
  for (const area of areas) {
    expect(drawn(area, 7, 50)).toEqual(drawn(area, 7, 50))
    expect(drawn(area, 7, 50)).not.toEqual(drawn(area, 8, 50))
  }
})

test('every kind of fault that is drawn can begin beside the others, and leaves nothing behind', async () => {
  for (const area of areas) {
    const kinds = new Map(drawn(area, 1, 1_000).map((fault) => [fault.kind, fault]))
    const ends = []
    for (const fault of kinds.values()) ends.push(await area.begin(fault))
    for (const end of ends) await end()
  }
  const answers = rpcUrls.map((url) => resultAt(url)('eth_chainId', []))
  expect(await Promise.all(answers)).toEqual(rpcUrls.map(() => '0x7a69'))
})
