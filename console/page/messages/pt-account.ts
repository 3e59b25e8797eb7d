import type { Messages } from './en.js'

/** The texts about an account, its people and their sessions, in Portuguese. */
export const ptAccount: Pick<Messages, 'people' | 'sessions' | 'settings'> = {
  people: {
    title: 'Pessoas',
    lead: 'Quem pode entrar nesta conta, e o que cada um pode fazer.',
    invite: 'Convidar uma pessoa',
    inviteLead: 'A pessoa entra com este endereço; o código é enviado para ele.',
    role: 'Papel',
    acts: 'Mudar',
    changeRole: 'Outro papel',
    remove: 'Remover',
    removeLead: 'A pessoa não entra mais nesta conta. O que ela fez permanece.',
    invited: 'Convite em',
    joined: 'Primeiro acesso',
    notYet: 'Ainda não',
    mayDo: {
      OWNER: 'Tudo, inclusive pessoas e dinheiro.',
      DEVELOPER: 'Tudo menos pessoas e dinheiro que volta.',
      SUPPORT: 'Vê tudo; faz devoluções; reenvia webhooks.',
      VIEWER: 'Vê tudo.',
    },
  },
  sessions: {
    title: 'Sessões',
    lead: 'Onde você está conectado. Encerre o que não reconhece.',
    address: 'De',
    agent: 'Navegador',
    opened: 'Entrada',
    lastUsed: 'Último uso',
    end: 'Encerrar',
    endAll: 'Sair em todos os lugares',
    endAllLead: 'Encerra todas as suas sessões, inclusive esta. Leva no máximo alguns segundos.',
  },
  settings: {
    title: 'Configurações',
    products: 'Pode usar',
    productNames: {
      crypto: 'Carteiras',
      pix: 'Pix',
      creditCard: 'Cartão',
      kyc: 'Verificação',
      yield: 'Rendimento',
    },
    tolerance: 'Pagamento a menor',
    toleranceLead:
      'Um pagador que envia um pouco menos ao endereço do pagamento, por causa da taxa de uma corretora, por exemplo, pagou mesmo assim.',
    tolerancePercent: 'Tolerância em %',
    integrations: 'Integrações',
    integrationsLead:
      'Para onde vão os eventos quando um pagamento não diz um endereço. Quem opera a plataforma pode mudá-los.',
    isDefault: 'Padrão',
  },
}
