import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { balanceIn, openDifferences } from '../../fixtures/books.js'
import { chargedPayment, chargeOf, payAndProcess, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { backUp } from '../../fixtures/restored-database.js'
import { receiptsOf } from '../../fixtures/rows.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { until } from '../../../../test/harness/until.js'
import type { PaymentsDeps } from '../../context.js'
import { railOfType } from '../../rails/find-rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { cancelPayment } from '../cancel-payment.js'
import { resolveDifference } from '../reconciliation/resolve-difference.js'
import { syncReceived } from '../reconciliation/sync-received.js'
import { recordUnmatched } from './record-unmatched.js'
import { syncCharge } from './sync-charge.js'

/** The database goes back to when the payment was registered; its payer has paid a charge that was made after that. */
const harness = await startPaymentsHarness()
const { deps } = harness

const provider = () => balanceIn(deps, 'provider:pix', 'BRL')
const suspense = () => balanceIn(deps, 'suspense:pix', 'BRL')
const differenceOf = async (id: string) => (await openDifferences(deps)).find(({ subject }) => subject === `pix:${id}`)
const ACCEPTED = [{ outcome: 'accepted', reason: null }]

describe('money that was booked as nobody’s and turns out to be a charge’s', () => {
  /** Money that stands in suspense, and is shown by a charge as soon as somebody looks at it. */
  async function unmatched() {
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`)
    await harness.pixControl('/callbacks', { mode: 'deliver' })
    const id = String(endToEndId)
    const received = { id, amount: '100', at: harness.clock.now(), refunds: [] }
    await recordUnmatched(deps, 'pix', received as never, 'BRL')
    return { payment, txid, id }
  }

  it('is booked once, stands in suspense no more, and nobody is asked about it', async () => {
    const before = { provider: Number(await provider()), suspense: await suspense() }
    const { payment, id } = await unmatched()
    expect(await differenceOf(id)).toMatchObject({ actual: '100' })
    await harness.goOn(30)
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    expect(Number(await provider())).toBe(before.provider + 100)
    expect(await suspense()).toBe(before.suspense)
    expect(await differenceOf(id)).toBeUndefined()
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is asked about once more where an operator has explained it before', async () => {
    const before = await suspense()
    const { payment, id } = await unmatched()
    const resolve = async () => {
      const open = (await differenceOf(id))?.id ?? ''
      await resolveDifference(deps, { id: open, reason: 'ours', by: 'ana', as: 'owner' })
    }
    await resolve()
    await harness.goOn(30)
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    expect(await differenceOf(id)).toMatchObject({ actual: '-100' })
    await resolve()
    expect(await suspense()).toBe(before)
    expect(await balanceIn(deps, 'owner', 'BRL')).toBe('0')
  })

  it('is asked about once more where an operator explains it while its charge is booked', async () => {
    const before = await suspense()
    const { payment, id } = await unmatched()
    const open = (await differenceOf(id))?.id ?? ''
    const explaining = Promise.withResolvers<undefined>()
    const booking = Promise.withResolvers<undefined>()
    const book: typeof deps.ledger.book = async (...given) => {
      explaining.resolve(undefined)
      await booking.promise
      await deps.ledger.book(...given)
    }
    const slow = { ...deps, ledger: { ...deps.ledger, book } }
    const resolved = resolveDifference(slow, { id: open, reason: 'ours', by: 'ana', as: 'owner' })
    await explaining.promise
    const booked = harness.goOn(30)
    await until('the charge waits for the operator', async () => {
      const waiting = await harness.query(`select 1 from pg_locks where locktype = 'transactionid' and not granted`)
      return waiting.length > 0
    })
    booking.resolve(undefined)
    await Promise.all([resolved, booked])
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    expect(await differenceOf(id)).toMatchObject({ actual: '-100' })
    await resolveDifference(deps, { id: open, reason: 'not ours', by: 'ana', as: 'owner' })
    expect(await suspense()).toBe(before)
    expect(await balanceIn(deps, 'owner', 'BRL')).toBe('0')
  })
})

describe('a charge that was made and paid after the backup to which its database went back', () => {
  /** Its callback is lost too; the provider's list tells. */
  async function lostAndListed(payment: Payment, seen = deps, pay: object = {}, list = () => syncReceived(seen)) {
    const { txid } = await chargeLost(payment)
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`, pay)
    await harness.pixControl('/callbacks', { mode: 'deliver' })
    await list()
    return { txid, id: String(endToEndId) }
  }

  async function chargeLost(payment: Payment) {
    const restore = await backUp(harness)
    const { reference: txid } = await chargeOf(harness, await startPix(harness, payment))
    await restore()
    return { txid }
  }

  /** @param isTold whether the callback comes, to the restored database; otherwise the provider's list tells */
  async function lost(isTold: boolean, meanwhile = (_: Payment): Promise<unknown> => Promise.resolve()) {
    const payment = await checkoutPayment(harness)
    if (!isTold) return { payment, ...(await lostAndListed(payment)) }
    const { txid } = await chargeLost(payment)
    await meanwhile(payment)
    return { payment, txid, id: await payAndProcess(harness, txid) }
  }

  it.each([true, false])(
    'pays its payment, and is nobody’s never, where a callback tells of it: %s',
    async (isTold) => {
      const before = { provider: Number(await provider()), suspense: await suspense() }
      const { payment, txid, id } = await lost(isTold)
      expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
      const present = await presentOf(harness, payment)
      expect(present).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
      expect(await chargeOf(harness, present)).toMatchObject({ reference: txid, state: 'paid' })
      expect(await deps.payouts.findAll(payment)).toHaveLength(1)
      expect(Number(await provider())).toBe(before.provider + 100)
      expect(await suspense()).toBe(before.suspense)
      expect(await differenceOf(id)).toBeUndefined()
      await syncReceived(deps)
      expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
      expect(await deps.ledger.findDiscrepancies()).toEqual([])
    },
  )

  it('stays as it is where an operator has explained its money before, which may be back with its payer', async () => {
    const before = await suspense()
    const payment = await checkoutPayment(harness)
    const { id } = await lostAndListed(payment, { ...deps, payableMarket: () => Promise.resolve(undefined) })
    const open = (await differenceOf(id))?.id ?? ''
    await resolveDifference(deps, { id: open, reason: 'sent back by the bank', by: 'ana', as: 'owner' })
    await syncReceived(deps)
    expect(await receiptsOf(harness, payment)).toEqual([])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'registered' })
    expect(await deps.payouts.findAll(payment)).toEqual([])
    expect(await differenceOf(id)).toBeUndefined()
    expect(await suspense()).toBe(before)
  })

  it('is taken up where its money merely stands in suspense', async () => {
    const before = await suspense()
    const payment = await checkoutPayment(harness)
    const { id } = await lostAndListed(payment, { ...deps, payableMarket: () => Promise.resolve(undefined) })
    expect(await differenceOf(id)).toMatchObject({ actual: '100' })
    await syncReceived(deps)
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    expect(await differenceOf(id)).toBeUndefined()
    expect(await suspense()).toBe(before)
  })

  it('waits for a price without keeping other lists from being read, and is told once that lasts', async () => {
    const payment = await checkoutPayment(harness)
    const listed: string[] = []
    const rails = deps.rails.map((rail) => {
      const list = rail.kind === 'charge' ? rail.adapter.listReceived : undefined
      if (rail.kind !== 'charge' || !list) return rail
      const listReceived: typeof list = (window) => {
        listed.push(rail.name)
        return list(window)
      }
      return { ...rail, adapter: { ...rail.adapter, listReceived } }
    })
    const unpriced = { ...deps, rails, payableMarket: () => Promise.reject(new AppError('provider_unavailable')) }
    const { id } = await lostAndListed(payment, deps, {}, () =>
      expect(syncReceived(unpriced)).rejects.toMatchObject({ code: 'provider_unavailable' }),
    )
    expect(new Set(listed)).toEqual(new Set(['pix', 'card']))
    expect(await differenceOf(id)).toBeUndefined()
    await harness.advance(2 * 3_600)
    await expect(syncReceived(unpriced)).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await differenceOf(id)).toMatchObject({ actual: '100' })
    await syncReceived(deps)
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    expect(await differenceOf(id)).toBeUndefined()
  })

  it('is taken from its payer, and from nobody else, where its tenant refuses third parties', async () => {
    const run = (mode: string) => runLedger(harness, 'third-party-pix', '--tenant', harness.tenant.id, '--mode', mode)
    expect(await run('return')).toBe(0)
    const [ours, theirs] = [await checkoutPayment(harness), await checkoutPayment(harness)]
    await lostAndListed(ours, deps, { pagador: { cpf: '52998224725', nome: 'Ana' } })
    await lostAndListed(theirs, deps, { pagador: { cpf: '11144477735', nome: 'Bia' } })
    expect(await receiptsOf(harness, ours)).toEqual(ACCEPTED)
    expect(await receiptsOf(harness, theirs)).toEqual([{ outcome: 'returned', reason: 'payer_mismatch' }])
    expect(await run('accept')).toBe(0)
  })

  it('is given back where its payment was canceled meanwhile', async () => {
    const { payment } = await lost(true, ({ id }) => cancelPayment(deps, harness.tenant, { id }))
    expect(await receiptsOf(harness, payment)).toMatchObject([{ outcome: 'returned' }])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('money that one process finds for no charge while another one books it for the charge', () => {
  /** A charge that is paid and of which nobody has heard; and its money as a list shows it. */
  async function unheard() {
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`)
    await harness.pixControl('/callbacks', { mode: 'deliver' })
    const received = { id: String(endToEndId), amount: '100', at: harness.clock.now(), refunds: [] }
    return { payment, record: () => recordUnmatched(deps, 'pix', received as never, 'BRL'), id: received.id }
  }

  async function sync(seen: PaymentsDeps, payment: Payment): Promise<void> {
    const rail = railOfType(seen, 'pixcrypto')
    if (rail?.kind !== 'charge') throw new Error('there is no Pix')
    await syncCharge(seen, rail, await chargeOf(harness, payment))
  }

  it('is booked for the charge alone where that was booked first', async () => {
    const before = { provider: Number(await provider()), suspense: await suspense() }
    const { payment, record, id } = await unheard()
    await sync(deps, payment)
    await record()
    expect(Number(await provider())).toBe(before.provider + 100)
    expect(await suspense()).toBe(before.suspense)
    expect(await differenceOf(id)).toBeUndefined()
  })

  it('is booked for the charge alone where that has just looked whether it was booked for nobody', async () => {
    const before = { provider: Number(await provider()), suspense: await suspense() }
    const { payment, record, id } = await unheard()
    let recording: Promise<void> | undefined
    const waits = () =>
      until('the other process waits for the charge', async () => {
        const waiting = await harness.query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)
        return waiting.length > 0
      })
    const isBooked: typeof deps.ledger.isBooked = async (em, of) => {
      const answer = await deps.ledger.isBooked(em, of)
      if (of.entry === `unmatched:pix:${id}`) {
        recording ??= record()
        await Promise.race([recording, waits()])
      }
      return answer
    }
    await sync({ ...deps, ledger: { ...deps.ledger, isBooked } }, payment)
    await recording
    expect(await receiptsOf(harness, payment)).toEqual(ACCEPTED)
    expect(Number(await provider())).toBe(before.provider + 100)
    expect(await suspense()).toBe(before.suspense)
    expect(await differenceOf(id)).toBeUndefined()
  })
})
