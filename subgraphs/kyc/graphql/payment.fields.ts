import { Ctx, Directive, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import type { KycView } from '../domain/kyc-view.js'
import { findPayerVerification } from '../domain/find-kyc-record.js'
import { KycRecord } from './kyc.type.js'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A payment: what a tenant asked for, how it is paid, and where it stands.' })
export class Payment {
  @Field(() => ID, { description: 'The id of the payment.' })
  id!: string

  @Directive('@external')
  @Field(() => EmailAddress, { nullable: true, description: "The payer's e-mail address." })
  payerEmail?: string | null

  @Directive('@external')
  @Field(() => String, { nullable: true, description: "The payer's wallet, for crypto payments." })
  payerWallet?: string | null
}

@Resolver(() => Payment)
export class PaymentFields {
  @Directive('@requires(fields: "payerEmail payerWallet")')
  @FieldResolver(() => KycRecord, {
    nullable: true,
    description: "The payer's identity verification; null where they have none.",
  })
  payerVerification(
    @Root() { id, payerEmail, payerWallet }: Payment,
    @Ctx() context: KycContext,
  ): Promise<KycView | null> {
    const payer = { paymentId: id, email: payerEmail ?? null, wallet: payerWallet ?? null }
    return findPayerVerification(context.deps, tenantOf(context), payer)
  }
}
