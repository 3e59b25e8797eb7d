import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { reauthorizedTenantOf, type ReauthorizeDeps } from '../../../kernel/reauthorize.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { acceptUnderpayment, type AcceptUnderpaymentDeps } from '../domain/deposits/accept-underpayment.js'
import {
  giveBackUnderpayment,
  type GiveBackDeps,
  type GiveBackInput,
} from '../domain/deposits/give-back-underpayment.js'
import { openAddress, type OpenAddressDeps, type OpenAddressInput } from '../domain/deposits/open-address.js'
import { setTolerance, type SetToleranceDeps } from '../domain/deposits/set-tolerance.js'
import { showAddress, type ShownAddress } from '../domain/deposits/show-address.js'
import type { EnabledChains } from '../model/chain-access.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { GiveBackUnderpaymentInput, OpenPaymentAddressInput, PaymentAddressType } from './payment-address.type.js'
import { PaymentType } from './payment.type.js'

/** What paying by address needs. */
export type PaymentAddressDeps = AcceptUnderpaymentDeps &
  EnabledChains &
  GiveBackDeps &
  OpenAddressDeps &
  Pick<RequestLoaders, 'addressesById'> &
  ReauthorizeDeps &
  SetToleranceDeps

@Resolver(() => PaymentType)
export class PaymentAddressResolver {
  @Mutation(() => PaymentType, {
    description:
      'Opens the own address of a payment on a chain: whatever wallet or exchange sends the token there pays it.',
  })
  openPaymentAddress(
    @Arg('input', () => OpenPaymentAddressInput, { description: 'Which payment, and on which chain.' })
    input: OpenAddressInput,
    @Ctx() context: SubgraphContext<PaymentAddressDeps>,
  ): Promise<Payment> {
    return openAddress(context.deps, tenantOf(context), input)
  }

  @Mutation(() => PaymentType, {
    description: 'Takes what came to the address of an underpaid payment for the whole: the receivers get it.',
  })
  acceptUnderpayment(
    @Arg('id', () => ID, { description: 'The payment.' }) id: string,
    @Ctx() context: SubgraphContext<PaymentAddressDeps>,
  ): Promise<Payment> {
    return acceptUnderpayment(context.deps, tenantOf(context), { id })
  }

  @Mutation(() => PaymentType, {
    description:
      'Gives back what came to the address of an underpaid payment, from what the tenant has set aside for refunds in its token.',
  })
  giveBackUnderpayment(
    @Arg('input', () => GiveBackUnderpaymentInput, { description: 'Which payment, and to which wallet.' })
    input: GiveBackInput,
    @Ctx() context: SubgraphContext<PaymentAddressDeps>,
  ): Promise<Payment> {
    return giveBackUnderpayment(context.deps, reauthorizedTenantOf(context, 'giveBackUnderpayment'), input)
  }

  @Mutation(() => Decimal, { description: 'Sets how much less than the price counts as the whole at an address.' })
  setUnderpaymentTolerance(
    @Arg('percent', () => Decimal, { description: '0 to 10, with two decimals at most.' }) percent: string,
    @Ctx() context: SubgraphContext<PaymentAddressDeps>,
  ): Promise<string> {
    return setTolerance(context.deps, tenantOf(context), percent)
  }

  @Query(() => Decimal, {
    nullable: true,
    description: 'How much less than the price counts as the whole at an address, in percent; 0 unless it was set.',
  })
  underpaymentTolerance(@Ctx() context: SubgraphContext<PaymentAddressDeps>): Promise<string> {
    return context.deps.addresses.tolerance(tenantOf(context).id)
  }

  @FieldResolver(() => PaymentAddressType, {
    nullable: true,
    description: 'The address that it is paid at; null where it is paid otherwise.',
  })
  async address(
    @Root() payment: Payment,
    @Ctx() context: SubgraphContext<PaymentAddressDeps>,
  ): Promise<ShownAddress | null> {
    const all = await context.deps.addressesById(payment.tenantId, payment.id)
    return showAddress(context.deps, payment, all)
  }

  @FieldResolver(() => Decimal)
  overpaidAmount(@Root() { overpaidAmount }: Payment): string {
    return overpaidAmount ?? '0'
  }

  @FieldResolver(() => Decimal)
  receivedAmount(@Root() { receivedAmount }: Payment): string {
    return receivedAmount ?? '0'
  }

  @FieldResolver(() => Boolean)
  late(@Root() { late }: Payment): boolean {
    return late ?? false
  }
}
