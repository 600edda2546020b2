// SaltEdge
