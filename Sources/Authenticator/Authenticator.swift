// Authenticator
