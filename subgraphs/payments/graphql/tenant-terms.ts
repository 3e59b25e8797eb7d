import { Arg, Ctx, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  readTenantTerms,
  setDelay,
  setFees,
  setLimits,
  type TenantTerms,
  type TenantTermsDeps,
} from '../domain/operators/tenant-terms.js'
import { RailEnum } from './rail.enum.js'

/** Terms of a kind, as they are set for a tenant. */
type OfTenant<Kind extends 'fees' | 'limits'> = TenantTerms[Kind][number] & { tenantId: string }

@Fields<TenantTerms['fees'][number]>('answer', {
  rail: { type: () => RailEnum, description: 'What the payer pays by.' },
  percent: { type: () => Decimal, description: 'Of what the payer pays.' },
  fixed: { type: () => Decimal, description: 'Of each payment, in the currency that is charged.' },
  spreadPercent: { type: () => Decimal, description: "What the receivers' rate is worse than the market's." },
})
@ObjectType({ description: "What the platform takes of a tenant's payments on a rail." })
class TenantFees {}

@Fields<TenantTerms['limits'][number]>('answer', {
  currency: { type: () => String, description: 'The currency that is charged.' },
  perPayment: { type: () => Decimal, nullable: true, description: 'What one payment may be.' },
  perPayerDay: { type: () => Decimal, nullable: true, description: 'What a payer may pay in 24 hours.' },
  perTenantDay: { type: () => Decimal, nullable: true, description: 'What all payers may pay in 24 hours.' },
})
@ObjectType({ description: "What a tenant's payments in a currency may be; null where nothing binds." })
class TenantLimits {}

@Fields<TenantTerms['delays'][number]>('answer', {
  rail: { type: () => RailEnum, description: 'What the payer pays by.' },
  hours: { type: () => Int, description: 'How long receivers wait.' },
})
@ObjectType({ description: 'How long receivers wait after a payer has paid.' })
class TenantDelay {}

@Fields<TenantTerms>('answer', {
  tenantId: { type: () => ID, description: 'The tenant.' },
  fees: { type: () => [TenantFees], description: 'By rail; none where nothing is taken.' },
  limits: { type: () => [TenantLimits], description: 'By currency; none where nothing binds.' },
  delays: { type: () => [TenantDelay], description: 'By rail; none where nobody waits.' },
})
@ObjectType('TenantTerms', { description: "What operators have set for a tenant's payments." })
class TenantTermsType {}

@Fields<OfTenant<'fees'>>('input', {
  tenantId: { type: () => ID, description: 'The tenant.' },
  rail: { type: () => RailEnum, description: 'Any but CRYPTO: wallets pay receivers directly.' },
  percent: { type: () => Decimal, description: 'Of what the payer pays, 0 to 20, with two decimals at most.' },
  fixed: { type: () => Decimal, description: 'Of each payment, 0 to 1000 of the currency that is charged.' },
  spreadPercent: {
    type: () => Decimal,
    description: "Of the rate, 0 to 10: what the receivers' is worse than the market's.",
  },
})
@InputType({ description: "What the platform takes of a tenant's payments on a rail, for quotes from now on." })
class TenantFeesInput {}

@Fields<OfTenant<'limits'>>('input', {
  tenantId: { type: () => ID, description: 'The tenant.' },
  currency: { type: () => String, description: 'The currency that is charged, e.g. BRL.' },
  perPayment: { type: () => Decimal, nullable: true, description: 'What one payment may be.' },
  perPayerDay: { type: () => Decimal, nullable: true, description: 'What a payer may pay in 24 hours.' },
  perTenantDay: { type: () => Decimal, nullable: true, description: 'What all payers may pay in 24 hours.' },
})
@InputType({ description: "What a tenant's payments in a currency may be from now on; what is left out has no limit." })
class TenantLimitsInput {}

@Resolver()
export class TenantTermsResolver {
  @Query(() => TenantTermsType, {
    nullable: true,
    description: "For operators: what is set for a tenant's payments; nothing is by default.",
  })
  tenantTerms(
    @Arg('tenantId', () => ID, { description: 'The tenant.' }) tenantId: string,
    @Ctx() context: SubgraphContext<TenantTermsDeps>,
  ): Promise<TenantTerms> {
    operatorOf(context)
    return readTenantTerms(context.deps, tenantId)
  }

  @Mutation(() => TenantTermsType, { description: "For operators: sets what is taken of a tenant's payments." })
  async setTenantFees(
    @Arg('input', () => TenantFeesInput, { description: 'Whose, and what.' }) input: OfTenant<'fees'>,
    @Ctx() context: SubgraphContext<TenantTermsDeps>,
  ): Promise<TenantTerms> {
    operatorOf(context)
    await setFees(context.deps, input)
    return readTenantTerms(context.deps, input.tenantId)
  }

  @Mutation(() => TenantTermsType, { description: "For operators: sets what a tenant's payments may be." })
  async setTenantLimits(
    @Arg('input', () => TenantLimitsInput, { description: 'Whose, and what.' })
    input: Pick<OfTenant<'limits'>, 'tenantId' | 'currency'> & Partial<OfTenant<'limits'>>,
    @Ctx() context: SubgraphContext<TenantTermsDeps>,
  ): Promise<TenantTerms> {
    operatorOf(context)
    const { tenantId, currency, perPayment = null, perPayerDay = null, perTenantDay = null } = input
    await setLimits(context.deps, { tenantId, currency, perPayment, perPayerDay, perTenantDay })
    return readTenantTerms(context.deps, tenantId)
  }

  @Mutation(() => TenantTermsType, {
    description: "For operators: sets how long a tenant's receivers wait after a payer has paid; 0 ends that.",
  })
  async setPayoutDelay(
    @Arg('tenantId', () => ID, { description: 'The tenant.' }) tenantId: string,
    @Arg('rail', () => RailEnum, { description: 'Any but CRYPTO: wallets pay receivers directly.' }) rail: string,
    @Arg('hours', () => Int, { description: '0 to 4320.' }) hours: number,
    @Ctx() context: SubgraphContext<TenantTermsDeps>,
  ): Promise<TenantTerms> {
    operatorOf(context)
    await setDelay(context.deps, { tenantId, rail, hours })
    return readTenantTerms(context.deps, tenantId)
  }
}
