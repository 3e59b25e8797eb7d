import { InputType, ID, ObjectType } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { GiveBackInput } from '../domain/deposits/give-back-underpayment.js'
import type { OpenAddressInput } from '../domain/deposits/open-address.js'
import type { ShownAddress } from '../domain/deposits/show-address.js'

@Fields<ShownAddress>('answer', {
  chainName: { type: () => String, description: 'The chain; on any other, money sent there is lost.' },
  address: {
    type: () => String,
    description: 'The address: of this payment alone, and emptied to its receivers alone.',
  },
  token: { type: () => String, description: "The token's contract." },
  amount: { type: () => Decimal, description: 'What is due there in all.' },
  received: { type: () => Decimal, description: 'What has come so far.' },
  missing: { type: () => Decimal, description: 'What is still to come; 0 where it is the whole.' },
  expiresAt: { type: () => DateTime, description: 'Until when the price holds.' },
  link: {
    type: () => String,
    nullable: true,
    description: 'The same for wallets that read EIP-681; null once nothing is missing.',
  },
})
@ObjectType('PaymentAddress', {
  description: 'The address of a payment, to which any wallet or exchange can send the token.',
})
export class PaymentAddressType {}

@Fields<OpenAddressInput>('input', {
  paymentId: { type: () => ID, description: 'The payment.' },
  chainName: {
    type: () => String,
    description: 'The chain; an EVM chain, and the one of the receivers where they have one.',
  },
})
@InputType({ description: 'Where a payment is to be paid by sending its token.' })
export class OpenPaymentAddressInput {}

@Fields<GiveBackInput>('input', {
  paymentId: { type: () => ID, description: 'The payment.' },
  wallet: {
    type: () => String,
    description: "The payer's own wallet on the payment's chain; not the one that an exchange has sent from.",
  },
})
@InputType({ description: 'Where what came to an underpaid payment is to be given back.' })
export class GiveBackUnderpaymentInput {}
