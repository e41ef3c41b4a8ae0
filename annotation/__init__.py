"""Human review: who judges what, the screen, the server of Label Studio and what comes back from it. Nothing that a
server says is trusted."""
