import { Arg, Ctx, Directive, ID, Int, Query, Resolver } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { findKycRecord } from '../domain/find-kyc-record.js'
import type { KycView } from '../domain/kyc-view.js'
import { listKycRecords } from '../domain/list-kyc-records.js'
import { comparePayerDocument } from '../domain/payer-document.js'
import { payerStatus, type PayerStatus } from '../domain/payer-status.js'
import type { DocumentComparison } from '../vault.js'
import { KycRecord, KycDocumentStanding, KycRecordConnection, KycStanding } from './kyc.type.js'

@Resolver()
export class KycRecordResolver {
  @Query(() => KycRecord, { nullable: true, description: 'Where the owner of an e-mail address or a wallet stands.' })
  kycRecord(
    @Arg('email', () => EmailAddress, { nullable: true, description: 'Their e-mail address.' }) email: string | null,
    @Arg('wallet', () => String, { nullable: true, description: 'Their wallet; one of the two is needed.' })
    wallet: string | null,
    @Ctx() context: KycContext,
  ): Promise<KycView> {
    return findKycRecord(context.deps, tenantOf(context), { email, wallet })
  }

  @Query(() => KycRecordConnection, {
    nullable: true,
    description: 'The verifications as they are stored, newest first; `kycRecord` asks the provider where that is old.',
  })
  kycRecords(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' }) after: string | null,
    @Ctx() context: KycContext,
  ): Promise<Connection<KycView>> {
    return listKycRecords(context.deps, tenantOf(context), { first, after })
  }

  @Directive('@inaccessible')
  @Query(() => [ID], { description: 'Those of some ids that are of verifications. Nothing of a person is read by it.' })
  async existingKycRecords(@Arg('ids', () => [ID]) ids: string[], @Ctx() context: KycContext): Promise<string[]> {
    const tenant = tenantOf(context)
    const records = await Promise.all(ids.map((id) => context.deps.recordOf(tenant.id, id)))
    return records.flatMap((record) => record?.person.id ?? [])
  }

  @Directive('@inaccessible')
  @Query(() => KycRecord, { nullable: true, description: 'A verification as it was after one of its events.' })
  kycRecordAt(
    @Arg('id', () => ID) id: string,
    @Arg('sequence', () => Int) sequence: number,
    @Ctx() context: KycContext,
  ): Promise<KycView | undefined> {
    return context.deps.personEvents.findAt(tenantOf(context).id, id, sequence)
  }

  @Directive('@inaccessible')
  @Query(() => KycStanding, { nullable: true, description: 'How a payer stands, for the gate of payments.' })
  async kycStanding(
    @Arg('email', () => String, { nullable: true }) email: string | null,
    @Arg('wallet', () => String, { nullable: true }) wallet: string | null,
    @Ctx() context: KycContext,
  ): Promise<{ state: PayerStatus }> {
    return { state: await payerStatus(context.deps, tenantOf(context), { email, wallet }) }
  }

  @Directive('@inaccessible')
  @Query(() => KycDocumentStanding, { nullable: true, description: "A payer's tax id beside the verified person's." })
  async kycDocumentStanding(
    @Arg('email', () => String, { nullable: true }) email: string | null,
    @Arg('wallet', () => String, { nullable: true }) wallet: string | null,
    @Arg('document', () => String) document: string,
    @Ctx() context: KycContext,
  ): Promise<{ comparison: DocumentComparison }> {
    const named = { email, wallet, document }
    return { comparison: await comparePayerDocument(context.deps, tenantOf(context), named) }
  }
}
