import type { Clock } from '../../kernel/clock.js'
import type { FieldFailure } from '../../kernel/errors.js'
import type { IdSource } from '../../kernel/ids.js'
import type { Logger } from '../../kernel/log.js'
import type { SubgraphContext } from '../../kernel/subgraph.js'
import type { RegistrationSettings } from './domain/check-payment-input.js'
import type { Payment } from './store/payment.entity.js'
import type { PaymentsStore } from './store/payments.js'

/** What the use cases of payments are given; wired once, in `context.ts`. */
export interface PaymentsDeps {
  clock: Clock
  newId: IdSource
  log: Logger
  settings: RegistrationSettings
  payments: PaymentsStore
  /** Reads one payment; all that one request asks for come in one statement. */
  paymentById: (tenantId: string, id: string) => Promise<Payment | undefined>
  /** Why a webhook URL is not acceptable: https and public addresses only, or none of these in the sandbox. */
  checkWebhookUrl: (field: string, url: string) => Promise<FieldFailure[]>
  /** The signed link to the hosted payment page. */
  sessionLink: (payment: Pick<Payment, 'id' | 'tenantId' | 'createdAt'>) => string
}

export type PaymentsContext = SubgraphContext<PaymentsDeps>
