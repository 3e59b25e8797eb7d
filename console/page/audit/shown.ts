import type { AuditLogResult } from '../generated/operations.js'

/** An act as the audit log shows it. */
export type ShownEntry = NonNullable<AuditLogResult['auditLog']>['edges'][number]['node']
