import type { SimulatedSession } from './session.js'

const STARTED_CHECKS = new Set(['Approved', 'Declined', 'In Review', 'Resubmitted', 'Kyc Expired'])

/**
 * The body of `GET /v3/session/{id}/decision/` (docs.didit.me): with an invented person, whose data the product must
 * neither keep nor show.
 */
export function decisionOf(session: SimulatedSession, url: string): Record<string, unknown> {
  const hasChecks = STARTED_CHECKS.has(session.status)
  return {
    session_id: session.id,
    session_kind: 'user',
    session_number: session.number,
    session_url: url,
    status: session.status,
    environment: 'sandbox',
    workflow_id: session.workflowId,
    features: ['ID_VERIFICATION', 'LIVENESS', 'FACE_MATCH', 'IP_ANALYSIS'],
    vendor_data: session.vendorData,
    metadata: session.metadata,
    expected_details: null,
    contact_details: null,
    callback: session.callback,
    id_verifications: hasChecks ? [idVerification(session)] : [],
    liveness_checks: hasChecks ? [livenessCheck(session)] : [],
    face_matches: [],
    aml_screenings: [],
    phone_verifications: [],
    email_verifications: [],
    poa_verifications: [],
    database_validations: hasChecks && session.document ? [databaseValidation(session.document)] : [],
    nfc_verifications: [],
    // The same device is seen at several steps, as it is in reality.
    ip_analyses: hasChecks ? [ipAnalysis(session, 'document'), ipAnalysis(session, 'liveness')] : [],
    reviews: [],
    created_at: new Date(session.createdAt).toISOString(),
  }
}

function checkStatus({ status }: SimulatedSession): string {
  return status === 'Kyc Expired' ? 'Approved' : status
}

function idVerification(session: SimulatedSession): Record<string, unknown> {
  return {
    node_id: 'document',
    status: checkStatus(session),
    document_type: 'Identity Card',
    document_number: 'SPECIMEN-0042',
    first_name: 'Ana',
    last_name: 'Specimen',
    date_of_birth: '1990-01-31',
    issuing_state: 'BRA',
    matches: session.isBlocklisted ? [{ session_id: 'earlier', is_blocklisted: true }] : [],
    warnings: session.isBlocklisted ? [{ risk: 'ID_DOCUMENT_IN_BLOCKLIST' }] : [],
  }
}

function databaseValidation(cpf: string): Record<string, unknown> {
  return {
    node_id: 'database',
    status: 'Approved',
    issuing_state: 'BRA',
    match_type: 'full_match',
    validations: [
      {
        service_id: 'bra_cpf',
        outcome_code: 'MATCH',
        source_data: { identification_number: cpf, first_name: 'Ana', last_name: 'Specimen' },
      },
    ],
    warnings: [],
  }
}

function livenessCheck(session: SimulatedSession): Record<string, unknown> {
  return {
    node_id: 'liveness',
    status: checkStatus(session),
    method: 'PASSIVE',
    score: 96.5,
    matches: [],
    warnings: [],
  }
}

function ipAnalysis(session: SimulatedSession, nodeId: string): Record<string, unknown> {
  return {
    status: checkStatus(session),
    node_id: nodeId,
    device_brand: 'Apple',
    device_model: 'iPhone',
    browser_family: 'Mobile Safari',
    os_family: 'iOS',
    platform: 'mobile',
    device_fingerprint: `fp-${session.number}`,
    ip_country: 'Brazil',
    ip_country_code: 'BR',
    ip_state: 'São Paulo',
    ip_city: 'São Paulo',
    latitude: -23.5505,
    longitude: -46.6333,
    ip_address: '203.0.113.24',
    isp: 'Example Telecom',
    organization: 'Example Telecom',
    is_vpn_or_tor: session.isVpn,
    is_data_center: session.isVpn,
    time_zone: 'America/Sao_Paulo',
    time_zone_offset: '-0300',
    ip: { location: {}, distance_from_id_document: null, distance_from_poa_document: null },
    matches: [],
    warnings: [],
  }
}
