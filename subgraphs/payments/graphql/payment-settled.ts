import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { settledOf, type Settled } from '../model/settled.js'
import { railOfType, type Rails } from '../rails/find-rail.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

type SettledDeps = Rails & Pick<RequestLoaders, 'chargeById'>

@Resolver(() => PaymentType)
export class PaymentSettledFields {
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      'What its receivers share, in `settledCurrency`, before anything is refunded: all that came where it is paid at its address, be it less or more than `amountTo`; otherwise what was quoted. Null until its payer has paid, and where it has failed.',
  })
  async settledAmount(@Root() payment: Payment, @Ctx() { deps }: SubgraphContext<SettledDeps>): Promise<string | null> {
    return (await readSettled(deps, payment))?.amount ?? null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What `settledAmount` is in: the token that the receivers get, or the currency that was charged where the provider pays them. Null where that is.',
  })
  async settledCurrency(
    @Root() payment: Payment,
    @Ctx() { deps }: SubgraphContext<SettledDeps>,
  ): Promise<string | null> {
    return (await readSettled(deps, payment))?.currency ?? null
  }
}

async function readSettled(deps: SettledDeps, payment: Payment): Promise<Settled | null> {
  const { tenantId, chargeId, transactionType } = payment
  const rail = railOfType(deps, transactionType)
  const isShared = transactionType != null && rail?.types[transactionType]?.settlesInFiat === true
  return settledOf(payment, isShared && chargeId != null ? await deps.chargeById(tenantId, chargeId) : undefined)
}
