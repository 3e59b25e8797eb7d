import { Arg, Ctx, ID, InputType, Mutation, Query, Resolver } from 'type-graphql'
import { EmailAddress } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  emailReceipt,
  readReceiptState,
  type EmailReceiptDeps,
  type EmailReceiptInput as Input,
  type ReceiptLanguage,
  type ReceiptState,
} from '../domain/receipts/email-receipt.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

const ReceiptLanguageEnum = graphqlEnum<ReceiptLanguage>('ReceiptLanguage', 'What a receipt is written in.', {
  pt: 'Portuguese.',
  en: 'English.',
  es: 'Spanish.',
})

const ReceiptStateEnum = graphqlEnum<ReceiptState>(
  'ReceiptEmailState',
  'Where the receipt of a payment by e-mail is.',
  {
    unavailable: 'It cannot be had: no money has come, or the deployment sends no e-mails.',
    available: 'The payer can have it.',
    requested: 'It is sent as soon as the payment has succeeded.',
    sent: 'It was sent.',
  },
)

@Fields<Input>('input', {
  paymentId: { type: () => ID, description: 'The payment.' },
  email: { type: () => EmailAddress, description: 'Where to; forgotten once it was sent.' },
  language: { type: () => ReceiptLanguageEnum, description: 'By default English.', nullable: true },
})
@InputType({ description: 'Who wants the receipt of which payment.' })
export class EmailReceiptInput {}

@Resolver()
export class EmailReceiptResolver {
  @Mutation(() => PaymentType, {
    description: 'Has the receipt of a payment sent to its payer, once, as soon as the payment has succeeded.',
  })
  emailReceipt(
    @Arg('input', () => EmailReceiptInput, { description: 'Of which payment, and to whom.' }) input: Input,
    @Ctx() context: SubgraphContext<EmailReceiptDeps>,
  ): Promise<Payment> {
    return emailReceipt(context.deps, tenantOf(context), input)
  }

  @Query(() => ReceiptStateEnum, { nullable: true, description: 'Where the receipt of a payment by e-mail is.' })
  receiptEmailState(
    @Arg('id', () => ID, { description: 'The payment.' }) id: string,
    @Ctx() context: SubgraphContext<EmailReceiptDeps>,
  ): Promise<ReceiptState> {
    return readReceiptState(context.deps, tenantOf(context), { id })
  }
}
