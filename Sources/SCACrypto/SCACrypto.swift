// SCACrypto
