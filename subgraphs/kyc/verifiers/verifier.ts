import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/log.js'
import type { KycStatus } from '../domain/kyc-status.js'

/** Who is verified: a natural person (KYC) or a business (KYB). */
export type SubjectKind = 'person' | 'company'

/** A summary of where from, and with what device, a subject was verified; no address, position or fingerprint. */
export interface IpInfo {
  country: string | null
  countryCode: string | null
  state: string | null
  city: string | null
  isp: string | null
  isVpnOrTor: boolean
  isDataCenter: boolean
  deviceBrand: string | null
  deviceModel: string | null
  browserFamily: string | null
  osFamily: string | null
  platform: string | null
}

/** A verification session as the provider has it. */
export interface VerifierSession {
  sessionId: string
  /** The hosted page, with the provider's own token in it. */
  url: string
  status: KycStatus
  /** The provider's own word. */
  providerStatus: string
}

/** What the provider knows of a session now. */
export interface VerifierDecision {
  status: KycStatus
  providerStatus: string
  /** Without duplicates. */
  ipInfo: IpInfo[]
  isBlocklisted: boolean
  /** The person's tax id, digits only; null where the provider shows none. Hashed before it is stored. */
  documentNumber: string | null
}

/** What a callback is about; what it says is never believed, the provider is asked instead. */
export interface VerifierNotice {
  sessionId: string
  /** The same for every delivery of the same event. */
  eventKey: string
}

/** A callback that is not the provider's, or is too old. */
export class CallbackRefused extends Error {
  override readonly name = 'CallbackRefused'
  constructor(readonly reason: 'signature' | 'timestamp' | 'malformed') {
    super(`a callback was refused: ${reason}`)
  }
}

/** A verification provider. All calls throw AppError `provider_unavailable` or `provider_timeout`. */
export interface Verifier {
  name: string
  /** Whether it verifies subjects of this kind here. */
  verifies(kind: SubjectKind): boolean
  /**
   * Begins a session, or gives the unfinished one of the same subject again: asking twice makes one session.
   * @param request.subjectRef an opaque id of ours, never an e-mail address
   */
  createOrResumeSession(request: { subjectRef: string; kind: SubjectKind }): Promise<VerifierSession>
  /** Undefined where the provider has no such session (any more). */
  getDecision(sessionId: string): Promise<VerifierDecision | undefined>
  /** Has the provider forget a session and everything shown in it; done where it has forgotten already. */
  deleteSession(sessionId: string): Promise<void>
  /**
   * Checks a callback's signature and age over its raw bytes.
   * @param headers with lower-case names
   * @throws CallbackRefused
   */
  readCallback(rawBody: Buffer, headers: Readonly<Record<string, string>>): VerifierNotice
}

/** What every verifier is made from; the meaning of the workflow ids is the vendor's. */
export interface VerifierOptions {
  baseUrl: string
  apiKey: string
  workflowIds: Partial<Record<SubjectKind, string>>
  /** With which the provider signs its callbacks. */
  webhookSecret: string
  timeoutMs: number
  clock: Clock
  log: Logger
}

/** One vendor: a folder that exports a value of this, and a line in `registry.ts`. */
export interface VerifierDefinition {
  name: string
  create: (options: VerifierOptions) => Verifier
}
