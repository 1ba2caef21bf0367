const path = '/api/v2/credits/histories'

beforeEach(() => {
  cy.task('reset')
})

it('shows that a session has expired', () => {
  cy.task('activate', 'listCreditHistories:401')
  cy.request({ url: path, failOnStatusCode: false }).its('status').should('equal', 401)
  cy.task('requests', 'listCreditHistories').should('have.length', 1)
})
