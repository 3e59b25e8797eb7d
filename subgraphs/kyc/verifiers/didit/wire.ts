import { AppError } from '../../../../kernel/errors.js'
import { protocolError } from '../../../../kernel/provider-error.js'
import type { IpInfo, VerifierDecision, VerifierSession } from '../verifier.js'
import { readDocumentNumber } from './document-number.js'
import { statusOfDidit } from './status.js'

export const DIDIT = 'didit'

/**
 * Reads the answer of `POST /v3/session/`.
 * @throws AppError provider_unavailable where it is not what the vendor documents
 */
export function readSession(body: unknown): VerifierSession {
  const answer = objectOf(body)
  const { session_id: sessionId, url, status: providerStatus } = answer
  const status = typeof providerStatus === 'string' ? statusOfDidit(providerStatus) : undefined
  if (typeof sessionId !== 'string' || typeof url !== 'string' || typeof providerStatus !== 'string' || !status)
    throw unexpected('a session', providerStatus)
  return { sessionId, url, status, providerStatus }
}

/**
 * Reads the answer of `GET /v3/session/{id}/decision/`: of all that it tells about a person, their status, summaries of
 * where they were, whether something of theirs is on a blocklist, and their tax id, of which a hash is kept.
 * @throws AppError provider_unavailable where it is not what the vendor documents
 */
export function readDecision(body: unknown): VerifierDecision {
  const answer = objectOf(body)
  const { status: providerStatus } = answer
  const status = typeof providerStatus === 'string' ? statusOfDidit(providerStatus) : undefined
  if (typeof providerStatus !== 'string' || !status) throw unexpected('a decision', providerStatus)
  const documents = listOf(answer['id_verifications'])
  const checks = [...documents, ...listOf(answer['liveness_checks'])]
  const isBlocklisted = checks.some(({ matches }) => listOf(matches).some((match) => match['is_blocklisted'] === true))
  const documentNumber = readDocumentNumber(listOf(answer['database_validations']), documents)
  return { status, providerStatus, ipInfo: readIpInfo(answer['ip_analyses']), isBlocklisted, documentNumber }
}

/** The address, the place on the map and the device's fingerprint stay with the vendor; what is then equal is one. */
function readIpInfo(analyses: unknown): IpInfo[] {
  const summaries = listOf(analyses).map((entry) => ({
    country: textOrNull(entry['ip_country']),
    countryCode: textOrNull(entry['ip_country_code']),
    state: textOrNull(entry['ip_state']),
    city: textOrNull(entry['ip_city']),
    isp: textOrNull(entry['isp']),
    isVpnOrTor: entry['is_vpn_or_tor'] === true,
    isDataCenter: entry['is_data_center'] === true,
    deviceBrand: textOrNull(entry['device_brand']),
    deviceModel: textOrNull(entry['device_model']),
    browserFamily: textOrNull(entry['browser_family']),
    osFamily: textOrNull(entry['os_family']),
    platform: textOrNull(entry['platform']),
  }))
  return [...new Map(summaries.map((summary) => [JSON.stringify(summary), summary])).values()]
}

type Json = Readonly<Record<string, unknown>>

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}

/** A status that is a plain word is named: it may be a new one of the vendor's, which waits for us to learn it. */
function unexpected(what: string, status: unknown): AppError {
  const named = typeof status === 'string' && /^[a-z][a-z ]{0,39}$/i.test(status) ? `, of the status "${status}"` : ''
  const message = `${DIDIT} sent ${what} that we do not understand${named}`
  const cause = protocolError(DIDIT, message)
  return new AppError('provider_unavailable', { cause })
}
