import type { Messages } from './en.js'

/** The texts of webhook endpoints beside the contract's address, in Portuguese. */
export const ptEndpoints: Pick<Messages, 'moreEndpoints'> = {
  moreEndpoints: {
    title: 'Mais endpoints',
    lead: 'Também recebem os seus eventos, todos ou os que você escolher, cada um com um segredo próprio. Um que está fora do ar não atrasa os outros.',
    nothing: 'Ainda não há nenhum.',
    add: 'Adicionar um endpoint',
    change: 'Mudar',
    addressHint: 'https, e acessível de qualquer lugar.',
    description: 'Como chamá-lo',
    events: 'Eventos',
    all: 'Todos os eventos, também os futuros',
    chosen: 'Quais eventos',
    state: 'Situação',
    states: { ON: 'Ligado', OFF: 'Desligado', FAILING: 'Falhando' },
    failingSince: 'Não recebe nada desde',
    off: 'Desligar',
    offLead:
      'O que espera por este endpoint termina, e o que acontece enquanto ele está desligado não é enviado depois.',
    on: 'Ligar',
    remove: 'Apagar',
    removeLead: 'O endpoint e o seu segredo se vão para sempre, e o que espera por ele termina.',
    endpoint: 'Endpoint',
    gone: 'Um endpoint apagado',
    contract: 'O endereço do pagamento',
    ended: 'Terminou porque',
    ends: { ENDPOINT_DELETED: 'o endpoint foi apagado', ENDPOINT_DISABLED: 'o endpoint foi desligado' },
  },
}
