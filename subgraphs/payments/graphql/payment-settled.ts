import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { receivedOf, settledOf, type Settled } from '../model/settled.js'
import { railOfType, type Rails } from '../rails/find-rail.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

type SettledDeps = Rails & Pick<RequestLoaders, 'acceptedOfPayment' | 'chargeById' | 'payoutsOf'>

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

  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      'What its receivers get of `settledAmount`, paid out or still to be: less what refunds and disputes took off it before it was paid out, and where the provider pays them less all that goes back. Null where `settledAmount` is.',
  })
  async receiversAmount(
    @Root() payment: Payment,
    @Ctx() { deps }: SubgraphContext<SettledDeps>,
  ): Promise<string | null> {
    const settled = await readSettled(deps, payment)
    if (!settled) return null
    const { tenantId, id } = payment
    const accepted = isShared(deps, payment) ? await deps.acceptedOfPayment(tenantId, id) : undefined
    return receivedOf(settled, await deps.payoutsOf(tenantId, id), accepted?.refunds ?? [])
  }
}

async function readSettled(deps: SettledDeps, payment: Payment): Promise<Settled | null> {
  const { tenantId, chargeId } = payment
  const charge = chargeId != null && isShared(deps, payment) ? await deps.chargeById(tenantId, chargeId) : undefined
  return settledOf(payment, charge)
}

/** Whether its provider pays the receivers. */
function isShared(deps: Rails, { transactionType }: Payment): boolean {
  const rail = railOfType(deps, transactionType)
  return transactionType != null && rail?.types[transactionType]?.settlesInFiat === true
}
