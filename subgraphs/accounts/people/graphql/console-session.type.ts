import { Directive, ID, InputType, ObjectType } from 'type-graphql'
import { DateTime, JsonValue } from '../../../../kernel/scalars.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import type { PasskeySignInInput } from '../passkeys/sign-in-with-passkey.js'
import type { SignInInput } from '../sign-in.js'
import type { ReceivedInvitation } from '../store/invitations.js'
import type { PersonTenant } from '../store/people.js'

@Directive('@inaccessible')
@Fields<PersonTenant>('answer', {
  id: { type: () => ID, description: "The tenant's id." },
  name: { type: () => String, description: "The tenant's name." },
  role: { type: () => String, description: 'What the person is there: owner, developer, support or viewer.' },
})
@ObjectType({ description: 'A tenant that a person belongs to.' })
export class ConsoleTenant {}

@Directive('@inaccessible')
@Fields<ReceivedInvitation>('answer', {
  id: { type: () => ID, description: "The invitation's id." },
  tenantName: { type: () => String, description: "The tenant's name." },
  role: { type: () => String, description: 'What the person would be there.' },
  invitedBy: { type: () => String, description: 'The address of who invited.', nullable: true },
})
@ObjectType({ description: 'An invitation to a tenant that was not answered.' })
export class ConsoleInvitation {}

@Directive('@inaccessible')
@Fields('answer', {
  id: { type: () => ID, description: "The session's id." },
  personId: { type: () => ID, description: 'Whose it is.' },
  email: { type: () => String, description: 'The e-mail address of the person.' },
  isOperator: { type: () => Boolean, description: "Whether the person is one of the deployment's own." },
  tenantId: { type: () => ID, description: 'The tenant that is looked at; null for none.', nullable: true },
  role: { type: () => String, description: 'What the person is there.', nullable: true },
  products: { type: () => [String], description: "The tenant's products." },
  fiats: { type: () => [String], description: 'The fiat currencies that it is narrowed to.', nullable: true },
  provenAt: { type: () => DateTime, description: 'When the person last proved to be there.' },
  expiresAt: { type: () => DateTime, description: 'When it ends where nobody uses it.' },
  hasPasskeys: { type: () => Boolean, description: 'Whether the person has a passkey to prove with.' },
})
@ObjectType({ description: 'A session at the console that is open now.' })
export class ConsoleSessionType {}

@Directive('@inaccessible')
@Fields<SignInInput>('input', {
  email: { type: () => String, description: 'To which the code was sent.' },
  code: { type: () => String, description: 'The code.' },
  browserHash: {
    type: () => String,
    description: 'SHA-256, hex, of what the cookie of the browser holds that asked for the code.',
    nullable: true,
  },
  hash: { type: () => String, description: 'SHA-256, hex, of what the cookie will hold.' },
  address: { type: () => String, description: 'The address that it comes from.' },
  agent: { type: () => String, description: 'What the browser calls itself.' },
})
@InputType({ description: 'A sign-in at the console.' })
export class ConsoleSignInInput {}

@Directive('@inaccessible')
@Fields<PasskeySignInInput>('input', {
  browserHash: { type: () => String, description: 'SHA-256, hex, of what the cookie of the challenge holds.' },
  email: { type: () => String, description: 'The address that was typed, if any.', nullable: true },
  credential: {
    type: () => JsonValue,
    description: 'What was signed: `AuthenticationResponseJSON` of WebAuthn Level 3.',
  },
  hash: { type: () => String, description: 'SHA-256, hex, of what the cookie of the session will hold.' },
  address: { type: () => String, description: 'The address that it comes from.' },
  agent: { type: () => String, description: 'What the browser calls itself.' },
})
@InputType({ description: 'A sign-in at the console with a passkey.' })
export class ConsolePasskeySignInInput {}
