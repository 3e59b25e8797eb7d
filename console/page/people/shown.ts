import type { PeopleResult, SessionsResult } from '../generated/operations.js'

/** Somebody of the tenant. */
export type ShownPerson = NonNullable<PeopleResult['people']>[number]

/** A place where the person is signed in. */
export type ShownSession = NonNullable<SessionsResult['sessions']>[number]
