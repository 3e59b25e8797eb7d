import { Directive, ID, InputType, ObjectType } from 'type-graphql'
import { Decimal, Url } from '../../kernel/scalars.js'
import { Fields, type FieldsOf, type SharedField } from '../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../kernel/subgraph.js'
import type { PaymentMethods as Methods } from '../methods.js'
import type { SplitReceiver as Receiver } from '../split.js'

/** Whether an order, or a payment, is the only one or begins a subscription. */
export const GatewayMethodEnum = graphqlEnum('GatewayMethod', 'One-time or subscription.', {
  direct: 'Paid once.',
  subs: 'The first payment of a subscription; others follow at its interval.',
})

/** The parts of terms as orders and payments show and take them; each field is spelled once. */
export const SPLIT_RECEIVER: FieldsOf<Receiver> = {
  receiverWallet: { type: () => String, description: "The receiver's address on the destination chain." },
  receiverPercent: {
    type: () => Decimal,
    description: 'The share in percent, 0 to 100; all shares sum to exactly 100.',
  },
  recipientId: {
    type: () => String,
    description: "The receiver's id at the card processor; card to fiat needs it.",
    nullable: true,
  },
  liable: { type: () => Boolean, description: 'Whether the receiver is liable for chargebacks.', nullable: true },
  chargeProcessingFee: {
    type: () => Boolean,
    description: "Whether the receiver bears the processor's fee.",
    nullable: true,
  },
}

const METHODS: FieldsOf<Methods> = {
  crypto: method('A crypto wallet pays on a chain.'),
  pixcrypto: method('Pix pays, the receivers get crypto.'),
  cardcrypto: method('A card pays, the receivers get crypto.'),
  cardfiat: method('A card pays, the receivers get fiat.'),
  cryptofiat: method('Crypto pays, the receivers get fiat.'),
  cryptopix: method('Crypto pays, the receivers get Pix.'),
}

export const TENANT_DATA: FieldsOf<{ publicClientId: string; webhookUrl: string }> = {
  publicClientId: {
    type: () => ID,
    description: 'The integration id.',
    inInput: 'A prefix followed by 32 hex characters.',
  },
  webhookUrl: { type: () => String, input: () => Url, description: 'Receives the status updates of the payments.' },
}

function method(description: string): SharedField {
  return { type: () => Boolean, description, optional: true }
}

@Directive('@shareable')
@Fields('answer', SPLIT_RECEIVER)
@ObjectType({ description: "A receiver's share of a payment." })
export class SplitReceiver {}

@Fields('input', SPLIT_RECEIVER)
@InputType({ description: "A receiver's share." })
export class SplitReceiverInput {}

@Directive('@shareable')
@Fields('answer', METHODS)
@ObjectType({ description: 'Which methods are allowed.' })
export class PaymentMethods {}

@Fields('input', METHODS)
@InputType({ description: 'Which methods to allow; what is left out is not allowed.' })
export class PaymentMethodsInput {}

@Fields('input', TENANT_DATA)
@InputType({ description: 'The integration that a payment belongs to.' })
export class TenantDataInput {}
