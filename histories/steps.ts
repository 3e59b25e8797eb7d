import { AppError } from '../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../kernel/money.js'
import type { RefundJob } from '../subgraphs/payments/domain/refunds/refund-jobs.js'
import { sendRefund } from '../subgraphs/payments/domain/refunds/send-refund.js'
import { syncCharge } from '../subgraphs/payments/domain/charges/sync-charge.js'
import { lookUps } from '../subgraphs/payments/domain/reconciliation/look-ups.js'
import { syncFees } from '../subgraphs/payments/domain/reconciliation/sync-fees.js'
import { refundPayment } from '../subgraphs/payments/domain/refunds/refund-payment.js'
import { followLanded } from '../subgraphs/payments/settlement/follow-landed.js'
import { beginRun, rethrowFirst, settleOnce } from '../subgraphs/payments/settlement/settle-round.js'
import { STOP_PAYOUTS, stopPayouts, type StopPayoutsJob } from '../subgraphs/payments/settlement/stop-payouts.js'
import type { Payment } from '../subgraphs/payments/store/payment.entity.js'
import { CHAIN } from './chain.js'
import { openRefunds } from './check.js'
import { actOnDeposits } from './deposit-steps.js'
import { Crash } from './mortal.js'
import { splitOf } from './register.js'
import { runJobs } from './run-jobs.js'
import type { Step } from './step.js'
import { recoverDebts } from '../subgraphs/payments/settlement/recover-debt.js'
import type { HistoryDeps, World } from './world.js'

const HOUR_MS = 3_600_000

/** Lets a step happen. A process that dies in it is followed by another one, with the next step. */
export async function take(world: World, ids: readonly string[], step: Step): Promise<void> {
  const deps = world.process('dies' in step ? step.dies : undefined)
  await world.kept.refresh()
  try {
    await act(world, deps, ids, step)
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
}

async function act(world: World, deps: HistoryDeps, ids: readonly string[], step: Step): Promise<void> {
  switch (step.do) {
    case 'order-refund':
      return orderRefund(world, deps, idOf(ids, step.of), step.cents)
    case 'sync':
      return sync(world, deps, idOf(ids, step.of))
    case 'jobs':
      return runJobs(world, 'return-receipt', (job) => sendRefund(deps, job as RefundJob))
    case 'watch':
    case 'share':
    case 'accept':
    case 'give-back':
      return actOnDeposits(world, deps, ids, step)
    case 'settle':
      return settle(deps)
    case 'follow':
      return followLanded(treasuryOf(deps))
    case 'release':
      await world.kept.release(idOf(ids, step.of))
      return runJobs(world, STOP_PAYOUTS, (job) => stopPayouts(deps, job as StopPayoutsJob))
    case 'fees': {
      const to = world.clock.now()
      const looks = lookUps(deps.log)
      await syncFees(deps, world.rails.card, { from: new Date(to.getTime() - 400 * 24 * HOUR_MS), to }, looks)
      return looks.end()
    }
    default:
      return happen(world, ids, step)
  }
}

const idOf = (ids: readonly string[], of: number): string => ids[of % ids.length] ?? ''

function paymentOf({ kept }: World, id: string): Payment {
  const payment = kept.memory.tables.payments.find((one) => one.id === id)
  if (!payment) throw new Error(`there is no payment ${id}`)
  return payment
}

/** What the world outside does. */
async function happen(world: World, ids: readonly string[], step: Step): Promise<void> {
  const { clock, chain, pix, card, gas } = world
  switch (step.do) {
    case 'pay':
      return pay(world, idOf(ids, step.of), step.more)
    case 'provider-refund':
      return card.refund(idOf(ids, step.of), step.cents)
    case 'force':
      return pix.force(idOf(ids, step.of), step.cents === 0 ? undefined : fromBaseUnits(BigInt(step.cents), 2))
    case 'fee':
      return card.changeFee(idOf(ids, step.of), step.cents)
    case 'chargeback':
    case 'win':
      // Banks take weeks; the product tells an older answer from a newer one by an hour.
      clock.advance(2 * HOUR_MS)
      card[step.do](idOf(ids, step.of))
      clock.advance(2 * HOUR_MS)
      return
    case 'end-refunds':
      return pix.endRefunds(step.isDone)
    case 'next-refund':
      pix.next = { mode: step.mode }
      card.next = { mode: step.mode === 'waits' ? 'done' : step.mode }
      return
    case 'wait':
      return clock.advance(step.seconds * 1000)
    case 'mine':
      return chain.mine(new Set(step.refuses ? firstReceiver(world) : []), step.prefersOld)
    case 'reorganise':
      return chain.reorganise(step.depth, step.isForgotten)
    case 'forget':
      return chain.forget()
    case 'gas':
      gas.price = BigInt(step.price)
      return
    case 'send':
      return send(world, paymentOf(world, idOf(ids, step.of)), step.percent)
    case 'drop':
      return world.deposits.drop(step.isAgain)
    default:
      throw new Error(`nobody knows how to ${step.do}`)
  }
}

function firstReceiver({ kept }: World): string[] {
  return kept.memory.tables.payouts.slice(0, 1).map(({ receiver }) => receiver)
}

function pay(world: World, id: string, more: number): void {
  const payment = paymentOf(world, id)
  const cents = Number(toBaseUnits(payment.amountFrom, 2))
  if (payment.transactionType === 'crypto') send(world, payment, 100 + (100 * more) / cents)
  else if (payment.transactionType === 'pixcrypto')
    world.pix.pay(id, fromBaseUnits(BigInt(Math.max(cents + more, 1)), 2))
  else world.card.pay(id, cents, splitOf(payment, feeOf(world, id)))
}

function feeOf({ kept }: World, id: string): string | null {
  return kept.memory.tables.charges.find(({ paymentId }) => paymentId === id)?.platformFee ?? null
}

async function orderRefund({ tenant }: World, deps: HistoryDeps, id: string, cents: number | undefined): Promise<void> {
  const amount = cents === undefined ? undefined : fromBaseUnits(BigInt(cents), 2)
  try {
    await refundPayment(deps, tenant, { id, ...(amount !== undefined && { amount }) })
  } catch (error) {
    // Refused: nothing is left, or nobody can pay for it.
    if (!(error instanceof AppError)) throw error
  }
}

async function sync({ kept, rails }: World, deps: HistoryDeps, id: string): Promise<void> {
  const charge = kept.memory.tables.charges.find(({ paymentId }) => paymentId === id)
  if (!charge) return
  const mine = deps.rails.find(({ name }) => name === charge.rail)
  const rail = mine?.kind === 'charge' ? mine : rails.card
  await syncCharge(deps, rail, { ...charge })
}

/** To a payment that has an address of its own. */
function send({ deposits }: World, { id, transactionType, amountTo }: Payment, percent: number): void {
  const due = Number(toBaseUnits(amountTo ?? '0', 6))
  if (transactionType === 'crypto') deposits.send(id, BigInt(Math.max(Math.floor((due * percent) / 100), 1)))
}

const treasuryOf = (deps: HistoryDeps) => {
  const [port] = deps.payoutChains.evm ?? []
  if (!port) throw new Error('there is no treasury')
  return { deps, chain: CHAIN, port }
}

/** A round of `settle-chain`, without its lock: a history has one worker. */
async function settle(deps: HistoryDeps): Promise<void> {
  const run = beginRun({ deps, chain: CHAIN, treasuries: [treasuryOf(deps)] })
  await settleOnce(run)
  rethrowFirst(run)
}

/** Lets the world come to rest: everything that is under way comes to its end, and the product sees it. */
export async function rest(world: World, ids: readonly string[]): Promise<void> {
  const { kept } = world
  for (let round = 0; round < 60; round += 1) {
    await kept.refresh()
    const before = signatureOf(world)
    await happen(world, ids, { do: 'end-refunds', isDone: true })
    world.clock.advance(2 * HOUR_MS)
    await kept.timePasses()
    const deps = world.process()
    for (const [of] of ids.entries()) await act(world, deps, ids, { do: 'sync', of })
    for (const step of ['watch', 'share', 'share', 'watch', 'jobs', 'fees', 'settle', 'follow'] as const)
      await act(world, deps, ids, { do: step })
    for (let block = 0; block < 6; block += 1) world.chain.mine(new Set())
    world.clock.advance(60_000)
    await kept.refresh()
    const { tables } = kept.memory
    const isSharing = (await kept.dueJobs('settle-split')).length > 0
    const isFollowed = tables.transactions.some(({ checkAt }) => checkAt !== null)
    if (isSharing || isFollowed || before !== signatureOf(world) || openRefunds(tables).length > 0) continue
    // As every night.
    await recoverDebts(world.process(), 'tenant')
    return kept.refresh()
  }
  throw new Error('it does not come to rest')
}

function signatureOf({ kept, chain }: World): string {
  const { lines, payouts, transactions, refunds, payments } = kept.memory.tables
  const states = [payouts, transactions, refunds].map((rows) =>
    rows.map(({ state, status }: { state?: string; status?: string }) => state ?? status),
  )
  return JSON.stringify([lines.length, states, payments.map(({ status }) => status), chain.isAtRest()])
}
