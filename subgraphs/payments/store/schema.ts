import { BroadcastEntity } from './broadcasts.js'
import { ChargeEntity, ReceivedPaymentEntity, RefundEntity } from './charge.entity.js'
import { GasPayerTransactionEntity } from './gas-payer-transactions.js'
import { CreatePayments } from './migrations/0001-payments.js'
import { CreateRelays } from './migrations/0002-relays.js'
import { CreateCharges } from './migrations/0003-charges.js'
import { CreateSettlement } from './migrations/0004-settlement.js'
import { CreateCards } from './migrations/0005-cards.js'
import { CreateSubscriptions } from './migrations/0006-subscriptions.js'
import { IndexOpenWork } from './migrations/0007-lost-jobs.js'
import { HoldPayouts } from './migrations/0008-held-payouts.js'
import { MakeRelaysUnique } from './migrations/0009-unique-relays.js'
import { AddRequestFingerprints } from './migrations/0010-request-fingerprints.js'
import { FollowToFinality } from './migrations/0011-follow-to-finality.js'
import { SearchPayments } from './migrations/0012-payment-search.js'
import { AddRefunds } from './migrations/0013-refunds.js'
import { AddRefundReserve } from './migrations/0014-refund-reserve.js'
import { PaymentEntity, PaymentEventEntity } from './payment.entity.js'
import { PayoutEntity, TreasuryTransactionEntity } from './payout.entity.js'
import { QuoteEntity } from './quotes.js'
import { SubscriptionEntity, SubscriptionEventEntity, SubscriptionPeriodEntity } from './subscription.entity.js'

export const PAYMENT_ENTITIES = [
  ChargeEntity,
  GasPayerTransactionEntity,
  PaymentEntity,
  PaymentEventEntity,
  PayoutEntity,
  QuoteEntity,
  ReceivedPaymentEntity,
  RefundEntity,
  BroadcastEntity,
  SubscriptionEntity,
  SubscriptionEventEntity,
  SubscriptionPeriodEntity,
  TreasuryTransactionEntity,
] as const

/** In the order in which they run; one that was released is never changed. */
export const PAYMENT_MIGRATIONS = [
  { name: '0001-payments', class: CreatePayments },
  { name: '0002-relays', class: CreateRelays },
  { name: '0003-charges', class: CreateCharges },
  { name: '0004-settlement', class: CreateSettlement },
  { name: '0005-cards', class: CreateCards },
  { name: '0006-subscriptions', class: CreateSubscriptions },
  { name: '0007-lost-jobs', class: IndexOpenWork },
  { name: '0008-held-payouts', class: HoldPayouts },
  { name: '0009-unique-relays', class: MakeRelaysUnique },
  { name: '0010-request-fingerprints', class: AddRequestFingerprints },
  { name: '0011-follow-to-finality', class: FollowToFinality },
  { name: '0012-payment-search', class: SearchPayments },
  { name: '0013-refunds', class: AddRefunds },
  { name: '0014-refund-reserve', class: AddRefundReserve },
] as const
