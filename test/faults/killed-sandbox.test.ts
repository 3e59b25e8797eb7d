import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { SandboxDescription } from '../../sandbox/demo/demo.js'
import { chainSide, type ChainSide } from '../harness/evm-side.js'
import { splitTo, type TenantCalls, tenantCalls } from '../harness/rest-payments.js'
import { callerOf } from '../harness/rest.js'
import { descendantsOf, isAlive } from '../harness/processes.js'
import { type ProductProcess, startProductProcess } from '../harness/product-process.js'
import { until } from '../harness/until.js'
import { ownFolder } from '../harness/at-end.js'

const folder = await ownFolder()

interface Side {
  product: ProductProcess
  sandbox: SandboxDescription
  calls: TenantCalls
  chain: ChainSide
}

async function start(): Promise<Side> {
  const product = await startProductProcess({ DATA_DIR: folder, RATE_LIMIT_PER_MINUTE: '0' })
  const sandbox = JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8')) as Side['sandbox']
  return {
    product,
    sandbox,
    calls: tenantCalls(callerOf(product), {
      id: sandbox.tenant_id,
      key: sandbox.api_key,
      keyId: '',
      tenantData: { public_client_id: sandbox.public_client_id, webhook_url: 'http://127.0.0.1:9/' },
    }),
    chain: chainSide(sandbox.chains.polygon.rpc_url),
  }
}

const newReceiver = (): `0x${string}` => privateKeyToAddress(generatePrivateKey())

/** Kills a process and all that it has started, at once, and waits until nothing of it is left. */
async function killAll({ pid, exited }: ProductProcess): Promise<void> {
  const pids = [pid, ...descendantsOf(pid).map((process) => process.pid)]
  for (const each of pids) {
    if (isAlive(each)) process.kill(each, 'SIGKILL')
  }
  await exited
  await until('all of it has ended', () => pids.every((each) => !isAlive(each)))
}

/** A payment whose payer's wallet sends what the receiver gets. @returns once it is confirmed */
async function payByWallet({ calls, chain }: Side, receiver: string): Promise<void> {
  const signed = await calls.signedPayment(await chain.newPayer(), splitTo([receiver]))
  const { status } = (await calls.execute(signed)).body
  if (status !== 'payment_confirmed') throw new Error(`execute answered ${status}`)
}

/** A charge by Pix that its payer pays; the treasury pays the receiver. @returns the payment's id */
async function payByPix({ sandbox, calls }: Side, orderId: string): Promise<string> {
  const { id, charge } = await calls.pixOfOrder(orderId)
  await fetch(`${sandbox.pix_url}/sandbox/cob/${charge.txid}/pay`, { method: 'POST' })
  return id
}

describe('the sandbox, killed with -9 in all its processes at once', () => {
  it('has paid everybody whose payment was confirmed, and its treasury pays on', async () => {
    const first = await start()
    const treasuryPaid = newReceiver()
    const terms = { ...splitTo([treasuryPaid]), payment_method_allowed: { pixcrypto: true } }
    const orderId = await first.calls.createOrder(terms)
    const paidByPix: string[] = []
    const paidByWallet: string[] = []
    for (let round = 0; round < 5; round += 1) {
      paidByPix.push(await payByPix(first, orderId))
      const receivers = [newReceiver(), newReceiver(), newReceiver()]
      await Promise.all(receivers.map((receiver) => payByWallet(first, receiver)))
      paidByWallet.push(...receivers)
    }
    const [oldest = ''] = paidByPix
    await first.calls.untilStatus(oldest, 'success')
    await killAll(first.product)

    const second = await start()
    const balances = await Promise.all(
      paidByWallet.map((receiver) => second.chain.balanceOf('USDT', receiver as `0x${string}`)),
    )
    expect(balances).toEqual(paidByWallet.map(() => 18_450_185n))
    paidByPix.push(await payByPix(second, orderId))
    for (const id of paidByPix) await second.calls.untilStatus(id, 'success', 60_000)
    const { amount_to: amount } = await second.calls.statusOf(oldest)
    const each = BigInt(Math.round(Number(amount) * 1e6))
    expect(await second.chain.balanceOf('USDT', treasuryPaid)).toBe(each * BigInt(paidByPix.length))
  }, 480_000)
})
