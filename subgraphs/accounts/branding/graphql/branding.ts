import { Arg, Ctx, Directive, FieldResolver, Mutation, Query, Resolver } from 'type-graphql'
import { tenantOf } from '../../../../kernel/subgraph.js'
import type { AccountsContext } from '../../deps.js'
import { actingTenantOf } from '../../graphql/acting-tenant.js'
import { BrandingLogo, BrandingType, PaymentReturnInput, UpdateBrandingInput } from './branding.type.js'
import { signReturn, type PaymentReturn } from '../sign-return.js'
import type { Branding } from '../store/branding.js'
import { updateBranding, type BrandingInput } from '../update-branding.js'

@Resolver(() => BrandingType)
export class BrandingResolver {
  @Query(() => BrandingType, { nullable: true, description: "How the tenant's payment pages look." })
  branding(@Ctx() context: AccountsContext): Promise<Branding> {
    return context.deps.branding.find(tenantOf(context).id)
  }

  @Mutation(() => BrandingType, {
    description:
      "Changes how the tenant's payment pages look, and which sites may show them in a frame. For people only.",
  })
  updateBranding(
    @Arg('input', () => UpdateBrandingInput, { description: 'What changes.' }) input: BrandingInput,
    @Ctx() context: AccountsContext,
  ): Promise<Branding> {
    return updateBranding(context.deps, actingTenantOf(context, 'updateBranding'), input)
  }

  @FieldResolver(() => String, { nullable: true, description: 'The logo as a `data:` URL; null where there is none.' })
  async logo(@Ctx() context: AccountsContext): Promise<string | null> {
    const logo = await context.deps.branding.logo(tenantOf(context).id)
    return logo ? `data:${logo.type};base64,${logo.bytes.toString('base64')}` : null
  }

  @Directive('@inaccessible')
  @Query(() => BrandingLogo, { nullable: true, description: "The tenant's logo, for its payment pages." })
  async brandingLogo(@Ctx() context: AccountsContext): Promise<object | null> {
    const logo = await context.deps.branding.logo(tenantOf(context).id)
    return logo ? { base64: logo.bytes.toString('base64'), type: logo.type } : null
  }

  @Directive('@inaccessible')
  @Query(() => String, { description: 'What a payer brings back to the shop, signed as webhooks are: a query.' })
  signedReturn(
    @Arg('input', () => PaymentReturnInput, { description: 'What to sign.' }) input: PaymentReturn,
    @Ctx() context: AccountsContext,
  ): Promise<string> {
    return signReturn(context.deps, tenantOf(context), input)
  }
}
