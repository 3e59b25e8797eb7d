import type { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { tenantQueue } from '../../../kernel/tenant-queue.js'
import type { RpcCall } from '../../../test/harness/rpc-proxy.js'
import { until } from '../../../test/harness/until.js'
import { sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastYield } from './broadcast-yield.js'
import { decodeSigned } from './decode-signed.js'
import { depositYield } from './deposit-yield.js'

const harness = await startYieldHarness()

async function signedDeposit(wallet: Keypair): Promise<string> {
  const input = { wallet: wallet.publicKey.toBase58(), amount: '10', chainName: 'solana' }
  const { transaction } = await depositYield(harness.deps, TENANT, { provider: 'beta', asset: 'USDC', ...input })
  return sign(wallet, transaction)
}

it('a tenant whose broadcasts never land takes no turn of another, and all that wait are looked for together', async () => {
  const deps = { ...harness.deps, broadcastQueue: tenantQueue({ running: 2, waiting: Infinity }) }
  const broadcast = (wire: string, tenant = TENANT) =>
    broadcastYield(deps, tenant, { chainName: 'solana', opSigned: [wire] })
  const wires: string[] = []
  for (let made = 0; made < 4; made += 1) wires.push(await signedDeposit(await harness.newWallet()))
  const [another = '', ...stuck] = wires
  const signatureOf = (wire: string): string => decodeSigned(wire).signature
  const taken = new Set<string>()
  // The node takes them with a good answer, and loses them.
  harness.rpc.onCall = ({ method, params }: RpcCall) => {
    const wire = String(params[0])
    if (method !== 'sendTransaction' || !stuck.includes(wire)) return 'pass'
    taken.add(wire)
    return { answer: { result: signatureOf(wire) } }
  }
  const waiting = stuck.map((wire) => broadcast(wire))
  await until('two are sent', () => taken.size === 2)
  expect(await broadcast(another, { ...TENANT, id: 'c00000000000000000another' })).toMatchObject({
    transactionHashes: null,
  })
  expect(taken.size).toBe(2)
  await until('both are looked for at once', () =>
    harness.rpc.calls.some(
      ({ method, params }) => method === 'getSignatureStatuses' && (params[0] as unknown[]).length > 1,
    ),
  )
  harness.rpc.onCall = () => 'pass'
  expect(await Promise.all(waiting)).toMatchObject(stuck.map((wire) => ({ transactionHash: signatureOf(wire) })))
})
