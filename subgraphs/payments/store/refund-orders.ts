import type { EntityManager } from '@mikro-orm/postgresql'
import { columnOf, recordOf } from '../../../kernel/columns.js'
import { runIn, type NamedStatement } from '../../../kernel/database.js'
import { ACCEPTED_RECORD, readRecord, type ChargeRecord, type RecordRow } from './charge-records.js'
import { RefundEntity, type StoredRefund } from './charge.entity.js'
import { BOOK_GIVEN, givenLines, type Booking } from './ledger.js'
import { PAYOUT_COLUMNS, PayoutEntity, readPayout, type Payout } from './payout.entity.js'

/** What a refund of a payment is taken from: the charge that paid it, and what its receivers have coming. */
export interface Refundable {
  record: ChargeRecord
  /** Locked; by split index. */
  payouts: Payout[]
}

/** A refund that is ordered, with all that it changes beside the payment. */
export interface RefundOrder {
  refund: StoredRefund
  /** As they are now; those that it is taken off are changed. */
  payouts: readonly Payout[]
  booking: Booking
}

/** $1: tenant, $2: payment. The payment's row is locked before: only so what was read of its charge is what there is. */
const READ: NamedStatement = {
  name: 'refund_read',
  text: `with payout as (select ${PAYOUT_COLUMNS} from payments.payout where tenant_id = $1 and payment_id = $2 order by leg for update)
    select record.*, (select coalesce(json_agg(payout order by "splitIndex"), '[]') from payout) as payouts
      from (${ACCEPTED_RECORD}) as record`,
}

const REFUND_PROPERTIES = Object.keys(RefundEntity.meta.properties)

/** What a refund changes of a payout. */
const CUT = ['amount', 'withheld', 'fiatAmount', 'convertedFiat', 'state', 'attempt'] as const

/** $1: the refund, $2: its lines in the ledger, $3: the payouts, $4: tenant, $5: payment. */
const ORDER: NamedStatement = {
  name: 'refund_order',
  text: `with refund as (
      insert into payments.receipt_return (${REFUND_PROPERTIES.map(columnOf).join(', ')})
      select ${REFUND_PROPERTIES.map((name) => `"${name}"`).join(', ')}
      from json_to_record($1::json) as given (${recordOf(RefundEntity, REFUND_PROPERTIES)})
    ), cut as (
      update payments.payout as payout set ${CUT.map((name) => `${columnOf(name)} = given."${name}"`).join(', ')}
      from json_to_recordset($3::json) as given ("splitIndex" int, ${recordOf(PayoutEntity, CUT)})
      where payout.tenant_id = $4 and payout.payment_id = $5 and payout.leg = given."splitIndex"
        and payout.fiat_amount is distinct from given."fiatAmount"
    )
    ${BOOK_GIVEN('$2')}`,
}

/** Ordering refunds, by a statement for all that is read and one for all that is written (ADR 6); both in a payment's change. */
export const refundOrders = {
  /** Undefined where no charge has paid the payment. */
  readRefundable: async (
    em: EntityManager,
    { tenantId, id }: { tenantId: string; id: string },
  ): Promise<Refundable | undefined> => {
    const [row] = await runIn<RecordRow & { payouts: object[] }>(em, READ, [tenantId, id])
    return row && { record: readRecord(row), payouts: row.payouts.map(readPayout) }
  },
  /** Writes a refund down with what it is taken from. */
  order: async (em: EntityManager, { refund, payouts, booking }: RefundOrder): Promise<void> => {
    const values = [JSON.stringify(refund), givenLines([booking]), JSON.stringify(payouts)]
    await runIn(em, ORDER, [...values, booking.about.tenantId, booking.about.paymentId])
  },
}
