import { buildSubgraph, tenantOf } from '../../kernel/subgraph.js'
import type { KycDeps } from './deps.js'
import { findStoredRecord } from './domain/find-kyc-record.js'
import { CreateKycSessionResolver } from './graphql/create-kyc-session.js'
import { CreateWalletChallengeResolver } from './graphql/create-wallet-challenge.js'
import { KycRecordResolver } from './graphql/kyc-record.js'
import { Payment, PaymentFields } from './graphql/payment.fields.js'
import { PrepareKycResolver } from './graphql/prepare-kyc.js'
import { ReceiveCallbackResolver } from './graphql/receive-callback.js'
import { EmailOtpResolver } from './graphql/email-otp.js'

/** The kyc subgraph's schema: what is listed here is all that it offers. */
export function kycSubgraph(): ReturnType<typeof buildSubgraph<KycDeps>> {
  return buildSubgraph<KycDeps>({
    resolvers: [
      CreateKycSessionResolver,
      CreateWalletChallengeResolver,
      KycRecordResolver,
      PaymentFields,
      PrepareKycResolver,
      ReceiveCallbackResolver,
      EmailOtpResolver,
    ],
    // No operation of kyc answers a payment: it only adds a field to those of payments.
    orphanedTypes: [Payment],
    references: {
      KycRecord: ({ id }, context) => findStoredRecord(context.deps, tenantOf(context), id),
      Payment: (payment) => payment,
    },
    readScope: 'kyc:read',
  })
}
