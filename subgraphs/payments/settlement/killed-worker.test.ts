import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../kernel/root.js'
import { randomOf } from '../../../chaos/random.js'
import { chargedPayment, payCharge } from '../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { WorkerSettings } from '../fixtures/settlement-worker.js'

const PAYMENTS = 40
const KILLS = 6
/** How many more things are written down, at most, before the workers are killed. */
const PROGRESS_MAX = 45

const running = new Set<ChildProcess>()
const harness = await startSettlementHarness()
afterAll(async () => {
  await Promise.all([...running].map(kill))
})

async function startWorkerProcess(): Promise<ChildProcess> {
  const { options, databaseUrl, chain, treasuryKey, prices } = harness
  const settings: WorkerSettings = {
    databaseUrl,
    chain,
    treasuryKey,
    pix: harness.railSettings.pix,
    priceUrl: prices.url,
    publicUrl: options.publicUrl,
    masterKey: options.masterKey.toString('hex'),
  }
  const program = join(projectRoot, 'dist', 'subgraphs', 'payments', 'fixtures', 'settlement-worker.js')
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the worker did not start'))),
  ])
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child)
  const exited = once(child, 'exit')
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await exited
}

const successes = async (): Promise<number> => {
  const [row] = await harness.query(`select count(*)::int as count from payments.payment where status = 'success'`)
  return Number(row?.['count'])
}

/** Everything that the settlement writes down on its way, counted: events looked into, transactions made, sent, landed. */
const progress = async (): Promise<number> => {
  const [row] =
    await harness.query(`select ((select count(*) from payments.provider_event where processed_at is not null)
      + (select coalesce(sum(case state when 'stored' then 1 when 'sent' then 2 else 3 end), 0)
         from payments.treasury_transaction)
      + (select count(*) from payments.payment where status = 'success'))::int as count`)
  return Number(row?.['count'])
}

/** Lets workers work until they have written down `more` things, or a second has passed. */
async function letWork(more: number): Promise<void> {
  const target = (await progress()) + more
  const deadline = performance.now() + 1_000
  while ((await progress()) < target && performance.now() < deadline) await delay(2)
}

describe('a worker process that is killed again and again', () => {
  it('pays every charge out exactly once, with another one beside it', async () => {
    const random = randomOf(7)
    const receivers: Address[] = []
    for (let index = 0; index < PAYMENTS; index += 1) {
      const receiver = harness.newReceiver()
      receivers.push(receiver)
      const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
      const { txid } = await chargedPayment(harness, { splitPaymentConfig, amountFrom: '5.42' })
      await payCharge(harness, txid)
    }
    let interrupted = 0
    for (let kills = 0; kills < KILLS; kills += 1) {
      // Two at once: they must not both sign for the treasury.
      const [first, second] = await Promise.all([startWorkerProcess(), startWorkerProcess()])
      await letWork(1 + Math.floor(random() * PROGRESS_MAX))
      await kill(first)
      await kill(second)
      if ((await progress()) > 0 && (await successes()) < PAYMENTS) interrupted += 1
    }
    await startWorkerProcess()
    const deadline = performance.now() + 60_000
    while ((await successes()) < PAYMENTS && performance.now() < deadline) await delay(50)
    expect(await successes()).toBe(PAYMENTS)
    expect(interrupted).toBeGreaterThan(1)
    for (const receiver of receivers) expect(await harness.balanceOf(receiver)).toBe(1_000_000n)
    // At most one for each, and what prepares the treasury for batches.
    expect(await harness.transactionCount()).toBeLessThanOrEqual(PAYMENTS + 2)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
