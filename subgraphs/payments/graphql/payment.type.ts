import { Directive, Field, ID, Int, ObjectType, createUnionType } from 'type-graphql'
import { DateTime, Decimal, EmailAddress, JsonValue, Url } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type {
  EvmUnsignedTransaction,
  SolanaUnsignedTransaction,
  UnsignedTransaction,
} from '../model/unsigned-transaction.js'
import { Node } from './node.type.js'
import { PaymentFailure } from './failure-reason.js'
import { ChainFamilyEnum, PaymentStatusEnum, TransactionSourceEnum, TransactionTypeEnum } from './payment.enums.js'
import { PAYMENT_TERMS } from './payment.terms.js'

/** Why a hash of the name that REST has for it is deprecated. */
export const NAMED_BY_REST = 'Hashes are called `transactionHash`: use that. It stays for as long as REST shows it.'

@Fields<EvmUnsignedTransaction['transactionRequest']>('answer', {
  to: { type: () => String, description: 'The contract or account called.' },
  from: { type: () => String, description: 'The payer, who has to sign.' },
  data: { type: () => String, description: 'Calldata, 0x-hex.' },
  nonce: { type: () => Int, description: "The payer's account nonce." },
  value: { type: () => String, description: 'Native coin sent along, in its smallest unit.' },
  chainId: { type: () => Int, description: "The chain's id." },
  gasLimit: { type: () => String, description: 'Upper limit of gas.' },
  maxFeePerGas: { type: () => String, description: 'Highest total fee per gas, in wei.' },
  maxPriorityFeePerGas: { type: () => String, description: 'Highest priority fee per gas, in wei.' },
})
@ObjectType({ description: 'The fields of an EVM transaction to sign; quantities are decimal strings.' })
export class EvmTransactionRequest {}

@Fields<NonNullable<EvmUnsignedTransaction['meta']['approval']>>('answer', {
  token: { type: () => String, description: "The token's contract." },
  spender: { type: () => String, description: 'Who may spend.' },
  amount: { type: () => String, description: "How much, in the token's smallest unit." },
})
@ObjectType({ description: 'An allowance that the payer has to grant before the transaction can succeed.' })
export class TokenApproval {}

@Fields<EvmUnsignedTransaction['meta']>('answer', {
  source: { type: () => TransactionSourceEnum, description: 'Who built it, and in which form.' },
  approval: { type: () => TokenApproval, nullable: true, description: 'Needed first, where the router asks for it.' },
})
@ObjectType({ description: 'How a transaction was built.' })
export class TransactionMeta {}

@Fields<Omit<EvmUnsignedTransaction, 'minedNonce'>>('answer', {
  schemaVersion: { type: () => Int, description: "Version of this object's shape." },
  family: { type: () => ChainFamilyEnum, description: 'Always EVM.' },
  chainName: { type: () => String, description: 'The chain that the payer pays on.' },
  transactionRequest: { type: () => EvmTransactionRequest, description: 'What to sign.' },
  meta: { type: () => TransactionMeta, description: 'How it was built.' },
})
@ObjectType({ description: 'An unsigned transaction for an EVM wallet.' })
export class EvmTransaction {}

@Fields<SolanaUnsignedTransaction>('answer', {
  schemaVersion: { type: () => Int, description: "Version of this object's shape." },
  family: { type: () => ChainFamilyEnum, description: 'Always SOLANA.' },
  chainName: { type: () => String, description: 'The chain that the payer pays on.' },
  serialized: { type: () => String, description: 'The unsigned wire, base64.' },
  recentBlockhash: { type: () => String, description: 'The blockhash it is bound to.' },
  lastValidBlockHeight: { type: () => Int, description: 'The last block height at which it can land.' },
  feePayer: { type: () => String, description: 'Who pays the fee and signs.' },
  reference: { type: () => String, description: 'The key that marks the transfer as this payment.' },
  meta: { type: () => TransactionMeta, description: 'How it was built.' },
})
@ObjectType({ description: 'An unsigned transaction for a Solana wallet.' })
export class SolanaTransaction {}

export const UnsignedTransactionUnion = createUnionType({
  name: 'UnsignedTransaction',
  description: 'A transaction that a wallet has to sign.',
  types: () => [EvmTransaction, SolanaTransaction] as const,
  resolveType: (value) => ((value as UnsignedTransaction).family === 'evm' ? EvmTransaction : SolanaTransaction),
})

@Directive('@key(fields: "id")')
@ObjectType({
  description: 'A reusable checkout order: the terms from which payments are registered.',
  implements: Node,
})
export class Order {
  @Field(() => ID, { description: 'The id of the order.' })
  id!: string
}

@Directive('@key(fields: "id")')
@Fields('answer', PAYMENT_TERMS)
@Fields('answer', {
  id: { type: () => ID, description: 'The id of the payment.' },
  status: { type: () => PaymentStatusEnum, description: 'Where it stands.' },
  sequence: {
    type: () => Int,
    description: 'Counts its changes from 1: the sequence of the last entry of its history.',
  },
  orderCode: { type: () => ID, nullable: true, description: 'The id of the order it came from.' },
  orderSequence: {
    type: () => Int,
    nullable: true,
    description: "The number of its order's event that left it as it was registered.",
    hidden: true,
  },
  transactionType: {
    type: () => TransactionTypeEnum,
    nullable: true,
    description: 'How it is paid; null before a transaction is created.',
  },
  payerEmail: { type: () => EmailAddress, nullable: true, description: "The payer's e-mail address." },
  payerWallet: { type: () => String, nullable: true, description: "The payer's wallet, for crypto payments." },
  payerTokenSymbol: { type: () => String, nullable: true, description: 'The token the payer pays with.' },
  payerCpf: { type: () => String, nullable: true, description: "The payer's tax id, masked." },
  tidHash: {
    type: () => String,
    nullable: true,
    description: 'The hash on chain after a successful execution.',
    deprecationReason: NAMED_BY_REST,
  },
  amountTo: {
    type: () => Decimal,
    nullable: true,
    description: 'The quoted amount of that token; null, in REST an empty text, before a transaction is created.',
  },
  chainName: { type: () => String, nullable: true, description: 'The chain that the payer pays on.' },
  unsignedTransaction: {
    type: () => UnsignedTransactionUnion,
    nullable: true,
    description: 'What the payer has to sign.',
  },
  signedTransaction: { type: () => String, nullable: true, description: 'What the payer signed.' },
  refundedAmount: {
    type: () => Decimal,
    description: 'What its payer got back by refunds, in the currency that was charged.',
  },
  receivedAmount: {
    type: () => Decimal,
    description: 'What has come to its address, in `toCurrencySymbol`: parts too, and what is held.',
  },
  overpaidAmount: {
    type: () => Decimal,
    description:
      'What came beyond what was due, in `toCurrencySymbol`, at its address or by a wallet that paid besides; a wallet pays the receivers, or what is held for them.',
  },
  late: { type: () => Boolean, description: 'Whether it was paid at its address after the price had run out.' },
  globalPaymentData: {
    type: () => JsonValue,
    nullable: true,
    description: "The processor's answer; a message object for crypto.",
  },
  dataError: {
    type: () => PaymentFailure,
    nullable: true,
    description: 'Present when the status is ERROR, and when a card was refused (REPROVED).',
  },
  sessionPayment: {
    type: () => Url,
    description: 'The hosted payment page: signed, and good until the payment expires.',
  },
  createdAt: { type: () => DateTime, description: 'When it was registered.' },
  updatedAt: { type: () => DateTime, description: 'When it last changed.' },
})
@ObjectType('Payment', {
  description: 'A payment: what a tenant asked for, how it is paid, and where it stands.',
  implements: Node,
})
export class PaymentType {}
